import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { WebhookDeliveryProcessor } from '../../../src/modules/webhooks/jobs/webhook-delivery.processor.js';
import type { TestAccount } from '../../support/account.js';
import { lockRows } from '../../support/lock-rows.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

/** Many accounts share the statements that renew leases and record attempts. */
describe('While somebody has locked a webhook delivery in progress', () => {
  let hooks: WebhookFixture;
  /** Answers when the test wants it to. */
  let receiver: Server;
  let waiting: ServerResponse[];
  let unlock: () => Promise<void>;
  let busy: { account: TestAccount; endpointId: string; deliveryId: string };
  let other: typeof busy;

  beforeAll(async () => {
    hooks = await WebhookFixture.start();
    receiver = createServer((_, response) => waiting.push(response)).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await hooks.stop();
  });
  beforeEach(async () => {
    unlock = () => Promise.resolve();
    waiting = [];
    busy = await open();
    other = await open();
  });
  afterEach(() => unlock());

  /** An account with a delivery whose receiver does not answer yet. */
  async function open() {
    const account = await hooks.service.createAccount();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const { body } = await account
      .asAdmin('post', '/api/webhooks')
      .send({ url, events: ['contact.suppressed'] })
      .expect(201);
    const endpointId = body.id as string;
    const before = waiting.length;
    await hooks.fire(account);
    await waitFor('the post', () => waiting.length > before);
    const { id: deliveryId } = await hooks.waitForState(account, endpointId, 'in_progress', 1);
    return { account, endpointId, deliveryId };
  }
  const refuse = () => {
    for (const response of waiting.splice(0)) response.writeHead(500).end();
  };
  const lock = async (select: string, id: string) => {
    const release = await lockRows(hooks.service, select, [id]);
    unlock = () => {
      unlock = () => Promise.resolve();
      return release();
    };
  };
  const stateOf = async ({ account, deliveryId }: typeof busy) => (await hooks.delivery(account, deliveryId)).state;
  const leaseEnd = async ({ deliveryId }: typeof busy) => {
    const [row] = await hooks.service.query<{ endsAt: Date }>(
      'SELECT due_at AS "endsAt" FROM webhook_deliveries WHERE id = $1',
      [deliveryId],
    );
    return row!.endsAt.getTime();
  };

  it.each([
    ['delivery', 'SELECT FROM webhook_deliveries WHERE id = $1', () => busy.deliveryId],
    ['endpoint', 'SELECT FROM webhook_endpoints WHERE id = $1', () => busy.endpointId],
  ])('the attempts of others are recorded (%s)', async (_, select, idOf) => {
    await lock(select, idOf());
    refuse();
    await waitFor('the other attempt to be recorded', async () => (await stateOf(other)) === 'retrying');
    expect(await stateOf(busy)).toBe('in_progress');
    await unlock();
    await waitFor('the attempt to be recorded', async () => (await stateOf(busy)) === 'retrying');
    expect(waiting).toEqual([]);
    const { account, endpointId } = busy;
    expect(await hooks.read(account, endpointId)).toMatchObject({ failingSince: expect.any(String) });
  });

  it('the leases of others are renewed, and its own by the next renewal', async () => {
    const processor = hooks.service.app.get(WebhookDeliveryProcessor, { strict: false });
    const ends = [await leaseEnd(busy), await leaseEnd(other)] as const;
    await lock('SELECT FROM webhook_deliveries WHERE id = $1', busy.deliveryId);
    await processor.renewLeases();
    expect(await leaseEnd(busy)).toBe(ends[0]);
    expect(await leaseEnd(other)).toBeGreaterThan(ends[1]);
    await unlock();
    await processor.renewLeases();
    expect(await leaseEnd(busy)).toBeGreaterThan(ends[0]);
    refuse();
    for (const hook of [busy, other])
      await waitFor('the attempt to be recorded', async () => (await stateOf(hook)) === 'retrying');
  });
});
