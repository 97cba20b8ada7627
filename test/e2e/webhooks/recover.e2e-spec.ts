import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const LONG_AGO = '2020-01-01T00:00:00Z';

let fixture: WebhookFixture;
let account: TestAccount;
let endpoint: Awaited<ReturnType<WebhookFixture['addEndpoint']>>;

beforeAll(async () => {
  fixture = await WebhookFixture.start({ BRAND: 'Acme' });
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  account = await fixture.service.createAccount();
  endpoint = await fixture.addEndpoint(account);
});

const path = (rest: string) => `/api/webhooks/${endpoint.id}/${rest}`;

/** Deliveries in these states, of events so many minutes ago. */
async function insert(...rows: (readonly [state: string, minutesAgo: number])[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [state, minutesAgo] of rows) {
    const at = new Date(fixture.service.clock.now().getTime() - minutesAgo * 60_000);
    const id = newId(at);
    ids.push(id);
    await fixture.service.query(
      `INSERT INTO webhook_deliveries
         (id, account_id, endpoint_id, event_id, event, body, state, attempts, due_at, created_at, completed_at)
       VALUES ($1, $2, $3, $1, 'contact.suppressed', '{}', $4, 1, $6, $5, $5)`,
      [id, account.id, endpoint.id, state, at, state === 'retrying' ? new Date('2099-01-01') : null],
    );
  }
  return ids;
}

describe('POST /api/webhooks/:id/retry-failed', () => {
  const retry = (since: unknown = LONG_AGO) => account.asAdmin('post', path('retry-failed')).send({ since });
  const isDelivered = (id: string) =>
    waitFor('the retry to be delivered', async () => {
      const { state, attemptCount } = await fixture.delivery(account, id);
      return state === 'delivered' && attemptCount === 2;
    });

  it('attempts again what failed since the time, and nothing else', async () => {
    const [old, failed, permanent, delivered, waiting] = await insert(
      ['failed', 90],
      ['failed', 30],
      ['failed_permanent', 20],
      ['delivered', 10],
      ['retrying', 5],
    );
    const since = new Date(fixture.service.clock.now().getTime() - 60 * 60_000);
    const { body } = await retry(since.toISOString()).expect(200);
    expect(body).toEqual({ retried: 2, hasMore: false });
    await isDelivered(failed!);
    await isDelivered(permanent!);
    for (const [id, state] of [
      [old, 'failed'],
      [delivered, 'delivered'],
      [waiting, 'retrying'],
    ] as const)
      expect(await fixture.delivery(account, id!)).toMatchObject({ state, attemptCount: 1 });
    expect((await retry(since.toISOString()).expect(200)).body).toEqual({ retried: 0, hasMore: false });
  });

  it('takes at most 1,000 at once and says that there are more', async () => {
    const now = fixture.service.clock.now();
    await fixture.service.query(
      `INSERT INTO webhook_deliveries
         (id, account_id, endpoint_id, event_id, event, body, state, attempts, created_at, completed_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, $2, n, 'contact.suppressed', '{}', 'failed', 6, $3, $3
       FROM generate_series(1, 1002) AS n`,
      [account.id, endpoint.id, now],
    );
    expect((await retry().expect(200)).body).toEqual({ retried: 1_000, hasMore: true });
    expect((await retry().expect(200)).body).toEqual({ retried: 2, hasMore: false });
    await account.asAdmin('delete', `/api/webhooks/${endpoint.id}`).expect(200);
  });

  it('refuses if the endpoint is disabled', async () => {
    const [id] = await insert(['failed', 1]);
    await account.asAdmin('patch', `/api/webhooks/${endpoint.id}`).send({ enabled: false }).expect(200);
    await retry().expect(409, errorBody(409, 'The endpoint is disabled; enable it first'));
    expect(await fixture.delivery(account, id!)).toMatchObject({ state: 'failed' });
  });

  it.each([undefined, null, '', 'yesterday', 5])('refuses the time %p', async (since) => {
    await account
      .asAdmin('post', path('retry-failed'))
      .send({ since })
      .expect(400, badRequest('since must be an ISO 8601 date-time'));
  });
});

describe('GET /api/webhooks/:id/activity', () => {
  it('counts the deliveries of 48 hours by their present state', async () => {
    await insert(['delivered', 0], ['delivered', 0], ['failed', 60], ['failed_permanent', 60], ['retrying', 0]);
    await insert(['delivered', 49 * 60]);
    const { body } = await account.asMember('get', path('activity')).expect(200);
    expect(body.interval).toBe('hour');
    expect(body.buckets).toHaveLength(48);
    const hour = Math.floor(fixture.service.clock.now().getTime() / 3_600_000) * 3_600_000;
    expect(body.buckets.slice(-2)).toEqual([
      { from: new Date(hour - 3_600_000).toISOString(), delivered: 0, failed: 2, waiting: 0 },
      { from: new Date(hour).toISOString(), delivered: 2, failed: 0, waiting: 1 },
    ]);
    expect(body.buckets[0]).toMatchObject({ delivered: 0, failed: 0, waiting: 0 });
  });
});

describe('GET /api/webhooks/signature', () => {
  it('names the headers with the brand of the operator', async () => {
    const { body } = await account.asMember('get', '/api/webhooks/signature').expect(200);
    expect(body).toEqual({
      timestampHeader: 'X-Acme-Timestamp',
      signatureHeader: 'X-Acme-Signature',
      previousSignatureHeader: 'X-Acme-Signature-Previous',
    });
  });
});

describe('A delivery whose worker was lost', () => {
  /** As a worker leaves it that is killed during the attempt of this number. */
  async function lose(number: number): Promise<void> {
    const [id = ''] = await insert(['in_progress', 1]);
    await fixture.service.query(
      `UPDATE webhook_deliveries SET attempts = $2, claim_id = $3, due_at = now() - interval '1 minute',
         completed_at = NULL WHERE id = $1`,
      [id, number, newId(fixture.service.clock.now())],
    );
    await fixture.sweep();
  }
  const LOST = { statusCode: null, error: 'The worker was lost before it recorded this attempt' };

  it('is attempted again', async () => {
    await lose(11);
    const { attempts } = await fixture.waitForState(account, endpoint.id, 'delivered', 12);
    expect(attempts).toMatchObject([
      { number: 11, ...LOST },
      { number: 12, statusCode: 200 },
    ]);
  });

  it('has failed if twice as many attempts were lost as there may be', async () => {
    await lose(12);
    const { attempts, completedAt } = await fixture.waitForState(account, endpoint.id, 'failed', 12);
    expect(attempts).toMatchObject([{ number: 12, ...LOST }]);
    expect(completedAt).not.toBeNull();
  });
});
