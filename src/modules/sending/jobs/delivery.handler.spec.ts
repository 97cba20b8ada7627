import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, jest } from '@jest/globals';

import type { DeliverMessages } from '../application/deliver-messages.service.js';
import { DeliveryHandler } from './delivery.handler.js';

describe('The renewal of leases', () => {
  const handlerWith = (renewLeases: () => Promise<void>) => {
    const warn = jest.fn();
    const unused = undefined as never;
    const deliverMessages = { renewLeases } as DeliverMessages;
    return { handler: new DeliveryHandler(deliverMessages, unused, unused, { warn } as never, unused, unused), warn };
  };

  it('ends with the renewal', async () => {
    let renew: () => void = () => undefined;
    const { handler } = handlerWith(() => new Promise((resolve) => (renew = resolve)));
    let hasEnded = false;
    const ended = handler.renewLeases().then(() => (hasEnded = true));
    await setImmediate();
    expect(hasEnded).toBe(false);
    renew();
    await ended;
  });

  it('logs a renewal that fails', async () => {
    const { handler, warn } = handlerWith(() => Promise.reject(new Error('down')));
    await handler.renewLeases();
    expect(warn).toHaveBeenCalledWith({ event: 'renew-leases', error: 'down' });
  });
});
