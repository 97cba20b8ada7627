import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { toDeliveryError } from '../../../src/providers/smtp/smtp-error.js';
import { TransientDeliveryError } from '../../../src/shared/delivery-error.js';
import { RelayConnection } from '../../../src/platform/smtp/relay-connection.js';
import { relayFromUrl } from '../../../src/shared/smtp-relay.js';
import { SlowRelay } from '../../support/slow-relay.js';

const ADDRESSES = { from: 'shop@example.com', to: 'ada@example.org', messageId: 'm1@example.com' };
const TIMEOUT = { ms: 200, bytesPerMs: 100_000 };

describe('A transaction that takes too long, although the relay is never silent', () => {
  let relay: SlowRelay;

  beforeEach(async () => {
    relay = await SlowRelay.start();
  });
  afterEach(() => relay.stop());

  it.each([
    ['for the content', 8_000_000],
    ['for the reply to it', 100],
  ])('%s ends with a temporary failure, and its connection with it', async (_, bytes) => {
    const connection = await RelayConnection.open(relayFromUrl(`smtp://127.0.0.1:${relay.port}`), TIMEOUT);
    const mail = { ...ADDRESSES, raw: Buffer.from('Subject: Hello\r\n\r\n'), rest: [Buffer.alloc(bytes, 'x\r\n')] };
    const error = await connection.submit(mail).catch((error: unknown) => error);
    expect(toDeliveryError(error)).toEqual(
      new TransientDeliveryError('The SMTP relay takes too long for a mail of this size'),
    );
    expect(connection.isUsable).toBe(false);
  });
});
