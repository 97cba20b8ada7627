import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MAX_WEBHOOK_ENDPOINTS } from '../../../src/config/limits.js';
import { SeenReports } from '../../../src/modules/provider-events/application/ports/seen-reports.js';
import {
  type KeptEvent,
  UnmatchedEvents,
} from '../../../src/modules/provider-events/application/ports/unmatched-events.js';
import { DeliveryReader } from '../../../src/modules/webhooks/application/ports/delivery-reader.js';
import { UndispatchedEvents } from '../../../src/modules/webhooks/application/ports/undispatched-events.js';
import { WebhookDeliveryRepository } from '../../../src/modules/webhooks/application/ports/webhook-delivery.repository.js';
import { WebhookEndpointRepository } from '../../../src/modules/webhooks/application/ports/webhook-endpoint.repository.js';
import { WebhookEndpoint } from '../../../src/modules/webhooks/domain/webhook-endpoint.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const PARTS = { url: 'https://example.com/', events: ['contact.suppressed'], description: null, testEvents: false };

let accounts: TwoAccounts;
let endpoints: WebhookEndpointRepository;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  endpoints = accounts.get(WebhookEndpointRepository);
});
afterAll(() => accounts.stop());

async function addEndpoint(accountId: string): Promise<WebhookEndpoint> {
  const endpoint = WebhookEndpoint.create(accounts.newId(), accountId, PARTS as never, 'sealed', accounts.now);
  await endpoints.add(endpoint);
  return endpoint;
}

describe('A webhook of another account', () => {
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM webhook_endpoints');
    endpoint = await addEndpoint(accounts.other.id);
  });

  it('does not count', async () => {
    const mine = WebhookEndpoint.create(accounts.newId(), accounts.own.id, PARTS as never, 'sealed', accounts.now);
    for (let added = 1; added < MAX_WEBHOOK_ENDPOINTS; added++) await addEndpoint(accounts.other.id);
    await expect(addEndpoint(accounts.other.id)).rejects.toThrow(`at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints`);
    await endpoints.add(mine);
  });

  it('is neither found nor locked', async () => {
    await accounts.expectClosed((accountId) => endpoints.find(accountId, endpoint.id), null);
    const lock = (accountId: string) =>
      accounts.service.database.run(() => endpoints.findAndLock(accountId, endpoint.id));
    await accounts.expectClosed(lock, null);
  });

  it('is neither changed nor removed', async () => {
    await accounts.expectClosed((accountId) =>
      endpoints.save(Object.assign(new WebhookEndpoint(), endpoint, { accountId, description: 'Changed' })),
    );
    await accounts.expectClosed((accountId) => endpoints.remove(accountId, endpoint.id, accounts.now), null);
  });

  it('gets no delivery', async () => {
    const delivery = (accountId: string) => ({
      id: accounts.newId(),
      accountId,
      endpointId: endpoint.id,
      eventId: accounts.newId(),
      event: 'contact.suppressed',
      body: '{}',
      createdAt: accounts.now,
    });
    const deliveries = accounts.get(WebhookDeliveryRepository);
    await accounts.expectClosed(async (accountId) => {
      await accounts.service.database.run(() => deliveries.add([delivery(accountId) as never]));
      const added = await accounts.service.query('SELECT FROM webhook_deliveries WHERE endpoint_id = $1', [
        endpoint.id,
      ]);
      return added.length;
    }, 0);
  });

  it('receives no event of the own account', async () => {
    const mine = await addEndpoint(accounts.own.id);
    for (const { id } of accounts.both)
      for (let i = 0; i < 2; i++)
        await accounts.service.query(
          `INSERT INTO outbox_events (id, account_id, type, occurred_at, data) VALUES ($1, $2, 'contact.suppressed', now(), '{}')`,
          [accounts.newId(), id],
        );
    const events = accounts.get(UndispatchedEvents);
    const waiting = await events.listWaitingAcrossAccounts('', 10);
    expect(waiting.map(({ id, endpoints: count }) => [id, count]).sort()).toEqual(
      accounts.both.map(({ id }) => [id, 1]).sort(),
    );
    const taken = await accounts.service.database.run(() =>
      events.takeAcrossAccounts([{ accountId: accounts.own.id, events: 3 }]),
    );
    expect(taken.map(({ accountId, endpointIds }) => [accountId, endpointIds])).toEqual([
      [accounts.own.id, [mine.id]],
      [accounts.own.id, [mine.id]],
    ]);
  });
});

describe('A webhook delivery of another account', () => {
  let endpoint: WebhookEndpoint;
  let id: string;
  let deliveries: DeliveryReader;

  beforeEach(async () => {
    deliveries = accounts.get(DeliveryReader);
    await accounts.service.query('DELETE FROM webhook_endpoints');
    endpoint = await addEndpoint(accounts.other.id);
    id = accounts.newId();
    await accounts.service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at)
       VALUES ($1, $2, $3, $1, 'contact.suppressed', '{}', 'failed', $4)`,
      [id, accounts.other.id, endpoint.id, accounts.now],
    );
  });

  const since = () => new Date(accounts.now.getTime() - 3_600_000);

  it('is not shown', async () => {
    const filter = { state: null, beforeId: null, limit: 10 };
    await accounts.expectClosed((accountId) => deliveries.list(accountId, endpoint.id, filter), []);
    await accounts.expectClosed((accountId) => deliveries.find(accountId, id), null);
    await accounts.expectClosed((accountId) => deliveries.countByHour(accountId, endpoint.id, since()), []);
  });

  it('is not made due', async () => {
    await accounts.expectClosed((accountId) => deliveries.makeDue(accountId, id, accounts.now), 'missing');
    await accounts.service.query(`UPDATE webhook_deliveries SET state = 'failed', due_at = NULL`);
    const range = { since: since(), limit: 10, now: accounts.now };
    await accounts.expectClosed((accountId) => deliveries.makeFailedDue(accountId, endpoint.id, range), 0);
  });
});

describe('A provider event of another account with the same id', () => {
  const event = (accountId: string, id: string): KeptEvent => ({
    accountId,
    id,
    channel: 'email',
    provider: 'ses',
    messageId: null,
    providerMessageId: 'p',
    type: 'bounced',
    occurredAt: accounts.now,
    recipient: null,
    data: {},
    mayMatch: true,
  });
  let id: string;
  let events: UnmatchedEvents;

  beforeEach(async () => {
    events = accounts.get(UnmatchedEvents);
    await accounts.service.query('DELETE FROM unmatched_events');
    id = accounts.newId();
    const both = accounts.both.map((account) => event(account.id, id));
    await accounts.service.database.run(() => events.keep(both, accounts.now));
  });

  const later = () => new Date(accounts.now.getTime() + 60_000);
  const ofOther = () =>
    accounts.service.query('SELECT * FROM unmatched_events WHERE account_id = $1', [accounts.other.id]);

  it('is not taken', async () => {
    for (const account of accounts.both) {
      const taken = await accounts.service.database.run(() => events.takeDue([account.id], later(), 10));
      expect(taken.map(({ accountId }) => accountId)).toEqual([account.id]);
    }
  });

  it('is neither postponed nor removed', async () => {
    const before = await ofOther();
    await events.postpone([event(accounts.own.id, id)], later());
    await events.remove([event(accounts.own.id, id)]);
    expect(await ofOther()).toEqual(before);
    const left = await accounts.service.query('SELECT FROM unmatched_events');
    expect(left).toHaveLength(1);
  });

  it('counts for its own account', async () => {
    const report = ({ id: accountId }: { id: string }) => ({ accountId, key: 'key', content: accountId });
    const seen = await accounts.service.database.run(() =>
      accounts.get(SeenReports).add(accounts.both.map(report), accounts.now),
    );
    expect(seen).toEqual(['first', 'first']);
  });
});
