import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { newId } from '../../../src/shared/ids.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const NO_DELIVERY = errorBody(404, 'Webhook delivery not found');

let fixture: WebhookFixture;
let account: TestAccount;
let endpoint: Awaited<ReturnType<WebhookFixture['addEndpoint']>>;

beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  account = await fixture.service.createAccount();
  endpoint = await fixture.addEndpoint(account);
});

const list = (query = '') => account.asMember('get', `/api/webhooks/${endpoint.id}/deliveries${query}`);
const arrived = async () => (await fixture.receiver.received(endpoint.path)).length;
const inProgress = () =>
  waitFor('an attempt', async () => {
    const [newest] = await fixture.deliveries(account, endpoint.id);
    return (await arrived()) > 0 && newest?.state === 'in_progress' && newest;
  });

describe('GET /api/webhooks/:id/deliveries', () => {
  it('lists deliveries newest first, page by page', async () => {
    const emails = Array.from({ length: 5 }, (_, i) => `user${i}@example.com`);
    for (const email of emails) {
      await fixture.suppress(account, email);
      await fixture.dispatch();
    }
    await waitFor('all', async () =>
      (await fixture.deliveries(account, endpoint.id)).every(({ state }) => state === 'delivered'),
    );
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { body } = await list(`?limit=2${query}`).expect(200);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...seen].sort().reverse());
    const { body } = await list('?limit=5').expect(200);
    expect(body).toMatchObject({ items: seen.map((id) => ({ id })), nextCursor: null });
    expect(body.items[0]).toEqual({
      id: seen[0],
      endpointId: endpoint.id,
      event: 'contact.suppressed',
      recipient: 'user4@example.com',
      state: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
      lastStatusCode: 200,
      lastDurationMs: expect.any(Number),
    });
  });

  it('filters by state', async () => {
    await fixture.receiver.answer(endpoint.path, 400, 200);
    await fixture.fire(account);
    await fixture.waitForState(account, endpoint.id, 'failed_permanent', 1);
    await fixture.fire(account);
    await fixture.waitForState(account, endpoint.id, 'delivered', 1);
    expect((await list('?state=failed_permanent').expect(200)).body.items).toHaveLength(1);
    expect((await list('?state=delivered').expect(200)).body.items).toHaveLength(1);
    expect((await list('?state=failed').expect(200)).body.items).toEqual([]);
  });

  it.each([
    ['?state=lost', /^state must be one of pending, in_progress, /],
    ['?cursor=nonsense', /^cursor must be the nextCursor of an earlier page$/],
    ['?limit=0', /^limit must /],
    ['?limit=101', /^limit must /],
    ['?page=1', /^page is not a known field$/],
  ])('refuses %s', async (query, message) => {
    const { body } = await list(query).expect(400);
    expect(body).toEqual(badRequest(expect.stringMatching(message) as unknown as string));
  });

  it('shows the newest hundred attempts of a delivery that was retried more often', async () => {
    await fixture.fire(account);
    const { id } = await fixture.waitForState(account, endpoint.id, 'delivered', 1);
    await fixture.service.query(
      `INSERT INTO webhook_attempts (delivery_id, number, id, started_at, status_code)
       SELECT $1, number, $1, now(), 200 FROM generate_series(2, 120) AS number`,
      [id],
    );
    const { body } = await account.asMember('get', `/api/webhooks/deliveries/${id}`).expect(200);
    const numbers = (body.attempts as { number: number }[]).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 21));
  });
});

describe('GET /api/webhooks/deliveries/:id', () => {
  it.each([
    ['contact.suppressed', { email: 'ada@example.com', channel: 'email' }, 'ada@example.com'],
    ['contact.suppressed', { phone: '+14155550100', channel: 'sms' }, '+14155550100'],
    ['sms.inbound', { from: '+14155550101', to: '+12065550100', body: 'Hello' }, '+14155550101'],
    ['sms.inbound', {}, null],
  ])('shows the recipient of a %s with the data %j, as the list does', async (event, data, recipient) => {
    const id = newId(fixture.service.clock.now());
    await fixture.service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at)
       VALUES ($1, $2, $3, $1, $4, $5, 'failed', now())`,
      [id, account.id, endpoint.id, event, JSON.stringify({ event, data })],
    );
    expect((await list().expect(200)).body.items).toMatchObject([{ id, recipient }]);
    const { body } = await account.asMember('get', `/api/webhooks/deliveries/${id}`).expect(200);
    expect(body).toMatchObject({ id, recipient });
  });
});

describe('POST /api/webhooks/deliveries/:id/retry', () => {
  const retry = (id: string) => account.asAdmin('post', `/api/webhooks/deliveries/${id}/retry`);

  it.each([
    ['failed for good', 'failed_permanent', 400],
    ['is waiting for a retry', 'retrying', 500],
    ['was delivered', 'delivered', 200],
  ])('makes another attempt at once of a delivery that %s', async (_, state, status) => {
    await fixture.receiver.answer(endpoint.path, status, 200);
    await fixture.fire(account);
    const { id } = await fixture.waitForState(account, endpoint.id, state, 1);
    const { body } = await retry(id).expect(200);
    expect(body).toMatchObject({ id, completedAt: null, body: expect.stringContaining('contact.suppressed') });
    const { attempts } = await fixture.waitForState(account, endpoint.id, 'delivered', 2);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2]);
    const posts = await fixture.receiver.received(endpoint.path);
    expect(posts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  });

  it('continues the attempt numbers, and fails at once after six attempts', async () => {
    await fixture.receiver.answer(endpoint.path, 500);
    await fixture.fire(account);
    await fixture.waitForState(account, endpoint.id, 'retrying', 1);
    await fixture.service.query('UPDATE webhook_deliveries SET attempts = 5 WHERE account_id = $1', [account.id]);
    fixture.service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    const { id } = await fixture.waitForState(account, endpoint.id, 'failed', 6);
    await retry(id).expect(200);
    await fixture.waitForState(account, endpoint.id, 'failed', 7);
  });

  it('refuses while an attempt is in progress', async () => {
    await fixture.receiver.answer(endpoint.path, { status: 200, isHeld: true });
    await fixture.fire(account);
    const { id } = await inProgress();
    await retry(id).expect(409, errorBody(409, 'An attempt of this delivery is in progress'));
    await fixture.receiver.release(endpoint.path);
    await fixture.waitForState(account, endpoint.id, 'delivered', 1);
    expect(await arrived()).toBe(1);
  });

  it('makes one attempt for several concurrent calls', async () => {
    await fixture.receiver.answer(endpoint.path, 400, { status: 200, isHeld: true });
    await fixture.fire(account);
    const { id } = await fixture.waitForState(account, endpoint.id, 'failed_permanent', 1);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => retry(id)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await fixture.receiver.release(endpoint.path);
    await fixture.waitForState(account, endpoint.id, 'delivered', 2);
    expect(await arrived()).toBe(2);
  });

  it('refuses if the endpoint is disabled', async () => {
    await fixture.receiver.answer(endpoint.path, 400);
    await fixture.fire(account);
    const { id } = await fixture.waitForState(account, endpoint.id, 'failed_permanent', 1);
    await account.asAdmin('patch', `/api/webhooks/${endpoint.id}`).send({ enabled: false }).expect(200);
    await retry(id).expect(409, errorBody(409, 'The endpoint is disabled; enable it first'));
    expect(await fixture.delivery(account, id)).toMatchObject({ state: 'failed_permanent' });
  });
});

describe('DELETE /api/webhooks/:id with deliveries', () => {
  it('removes the deliveries too, and lets an attempt in progress finish', async () => {
    await fixture.receiver.answer(endpoint.path, { status: 200, isHeld: true });
    await fixture.fire(account);
    const { id } = await inProgress();
    await account.asAdmin('delete', `/api/webhooks/${endpoint.id}`).expect(200);
    await list().expect(404);
    await account.asAdmin('get', `/api/webhooks/deliveries/${id}`).expect(404, NO_DELIVERY);
    const [post] = await fixture.receiver.received(endpoint.path);
    expect(post!.wasCut).toBe(false);
    await fixture.receiver.release(endpoint.path);
    const rows = () =>
      fixture.service.query<{ state: string }>('SELECT state FROM webhook_deliveries WHERE account_id = $1', [
        account.id,
      ]);
    await waitFor('the end of the attempt', async () => (await rows())[0]?.state === 'delivered');
    await fixture.removeDeleted();
    expect(await rows()).toEqual([]);
  });

  it('loses no event of another endpoint that is dispatched at the same time', async () => {
    const stays = await fixture.addEndpoint(account);
    for (let i = 0; i < 10; i++) await fixture.suppress(account, `user${i}@example.com`);
    await Promise.all([fixture.dispatch(), account.asAdmin('delete', `/api/webhooks/${endpoint.id}`).expect(200)]);
    expect(await fixture.deliveries(account, stays.id)).toHaveLength(10);
    await fixture.receiver.waitForPosts(10, stays.path);
  });
});
