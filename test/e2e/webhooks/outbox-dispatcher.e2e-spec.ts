import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { OutboxDispatcher } from '../../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import {
  WebhookDeliveryRepository,
  WebhookJobs,
} from '../../../src/modules/webhooks/application/ports/webhook-delivery.repository.js';
import { newIds } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const EVENTS = 1_200;
const DISPATCHERS = 4;

describe('OutboxDispatcher', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start({ ROLE: 'api' });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await fixture.service.createAccount();
  });

  /** An import writes its addresses in order. */
  const addresses = (count: number) =>
    Array.from({ length: count }, (_, i) => `user${String(i).padStart(4, '0')}@example.com`);
  const importAddresses = (count: number) => {
    const csv = addresses(count).join('\n');
    return account.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv).expect(200);
  };
  const deliveries = () =>
    fixture.service.query<{ endpoint: string; count: number; events: number }>(
      `SELECT endpoint_id AS endpoint, count(*)::integer AS count, count(DISTINCT event_id)::integer AS events
       FROM webhook_deliveries WHERE account_id = $1 GROUP BY 1 ORDER BY 1`,
      [account.id],
    );
  const waiting = () => fixture.service.query('SELECT id FROM outbox_events WHERE account_id = $1', [account.id]);

  it('adds one delivery per event and endpoint, even when several dispatchers run at once', async () => {
    const ids = [(await fixture.addEndpoint(account)).id, (await fixture.addEndpoint(account)).id].sort();
    await importAddresses(EVENTS);
    const dispatched = await Promise.all(Array.from({ length: DISPATCHERS }, () => fixture.dispatch()));
    expect(dispatched.reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
    expect(await deliveries()).toEqual(ids.map((endpoint) => ({ endpoint, count: EVENTS, events: EVENTS })));
    expect(await waiting()).toEqual([]);
  });

  it('adds the deliveries in the order of the events', async () => {
    const { id } = await fixture.addEndpoint(account);
    await importAddresses(EVENTS);
    await fixture.dispatch();
    for (const order of ['id', 'due_at']) {
      const rows = await fixture.service.query<{ email: string }>(
        `SELECT body::json->'data'->>'email' AS email FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY ${order}`,
        [id],
      );
      expect(rows.map(({ email }) => email)).toEqual(addresses(EVENTS));
    }
  });

  it('does not make an account wait for the backlog of another', async () => {
    const other = await fixture.service.createAccount();
    for (let i = 0; i < 5; i++) await fixture.addEndpoint(account);
    const { id } = await fixture.addEndpoint(other);
    await importAddresses(EVENTS);
    await fixture.suppress(other, 'late@example.com');
    const jobs = fixture.service.app.get(WebhookJobs, { strict: false });
    const enqueue = jobs.enqueue.bind(jobs);
    const enqueued: (readonly string[])[] = [];
    jobs.enqueue = (endpointIds) => Promise.resolve(void enqueued.push(endpointIds));
    await fixture.dispatch();
    jobs.enqueue = enqueue;
    expect(enqueued.length).toBeGreaterThan(5);
    expect(enqueued[0]).toContain(id);
    expect(await waiting()).toEqual([]);
  });

  it('serves every account, even if there are more than fit in a batch', async () => {
    const now = new Date();
    const ids = newIds(now, 120);
    await fixture.service.query(
      `WITH many AS (SELECT * FROM unnest($1::text[]) AS many (id)), accounts AS (
         INSERT INTO accounts (id, name, created_at, updated_at) SELECT id, id, $2, $2 FROM many
       )
       INSERT INTO outbox_events (id, account_id, type, occurred_at, data)
       SELECT id, id, 'contact.suppressed', $2, '{}' FROM many`,
      [ids, now],
    );
    expect(await fixture.dispatch()).toBe(120);
    expect(await fixture.service.query('SELECT FROM outbox_events')).toEqual([]);
  });

  it('keeps the events of a batch that fails, and dispatches them the next time', async () => {
    const { id } = await fixture.addEndpoint(account);
    await importAddresses(3);
    await fixture.service.query('ALTER TABLE webhook_deliveries RENAME TO away');
    await expect(fixture.dispatch()).rejects.toThrow('webhook_deliveries');
    await fixture.service.query('ALTER TABLE away RENAME TO webhook_deliveries');
    expect(await waiting()).toHaveLength(3);
    expect(await fixture.dispatch()).toBe(3);
    expect(await deliveries()).toEqual([{ endpoint: id, count: 3, events: 3 }]);
  });

  it('adds no second delivery of an event that is dispatched again', async () => {
    const { id: endpointId } = await fixture.addEndpoint(account);
    await importAddresses(1);
    await fixture.dispatch();
    const [row] = await fixture.service.query<{ event_id: string; body: string }>(
      'SELECT event_id, body FROM webhook_deliveries WHERE account_id = $1',
      [account.id],
    );
    const again = { accountId: account.id, endpointId, eventId: row!.event_id, event: 'contact.suppressed', body: '' };
    const repository = fixture.service.app.get(WebhookDeliveryRepository, { strict: false });
    await repository.add([{ ...again, id: 'c000000000000000000000000', createdAt: new Date() }]);
    expect(await deliveries()).toEqual([{ endpoint: endpointId, count: 1, events: 1 }]);
  });

  it('enqueues jobs only after the deliveries are visible to other connections', async () => {
    const { id } = await fixture.addEndpoint(account);
    await importAddresses(1);
    const jobs = fixture.service.app.get(WebhookJobs, { strict: false });
    const enqueue = jobs.enqueue.bind(jobs);
    const seen: unknown[] = [];
    jobs.enqueue = async (endpointIds) => {
      const { rows } = await fixture.service.database.pool.query(
        'SELECT endpoint_id FROM webhook_deliveries WHERE endpoint_id = ANY($1)',
        [endpointIds],
      );
      seen.push(...rows);
    };
    await fixture.service.app.get(OutboxDispatcher, { strict: false }).dispatch();
    jobs.enqueue = enqueue;
    expect(seen).toEqual([{ endpoint_id: id }]);
  });
});
