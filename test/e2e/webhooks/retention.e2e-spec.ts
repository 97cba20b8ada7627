import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { idPrefix, newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { lockRows } from '../../support/lock-rows.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const DAY_MS = 86_400_000;
/** Takes more than two steps. */
const MANY = 2_500;
const NOT_FOUND = errorBody(404, 'Webhook delivery not found');

describe('The retention of webhook deliveries', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start({ ROLE: 'api' });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await fixture.service.createAccount();
  });

  /** Adds deliveries created 20 days ago, with one attempt each. Returns the last id. */
  async function addOld(endpointId: string, count: number, endedDaysAgo: number): Promise<string> {
    const now = Date.now();
    const prefix = idPrefix(new Date(now - 20 * DAY_MS));
    const [row] = await fixture.service.query<{ last: string }>(
      `WITH old AS (
         INSERT INTO webhook_deliveries
           (id, account_id, endpoint_id, event_id, event, body, state, attempts, created_at, completed_at)
         SELECT $1 || lpad(i::text, 6, '0') || $2, $3, $4, $1 || i, 'contact.suppressed', '{}', 'delivered', 1, $5, $5
         FROM generate_series(1, $6::integer) AS i RETURNING id
       ), attempts AS (
         INSERT INTO webhook_attempts (delivery_id, number, id, started_at) SELECT id, 1, id, $5 FROM old
       )
       SELECT max(id) AS last FROM old`,
      [prefix, newId(new Date()).slice(-10), account.id, endpointId, new Date(now - endedDaysAgo * DAY_MS), count],
    );
    return row!.last;
  }
  const left = async (endpointId: string) =>
    (
      await fixture.service.query<{ id: string }>('SELECT id FROM webhook_deliveries WHERE endpoint_id = $1', [
        endpointId,
      ])
    ).length;

  it('purges expired deliveries in steps and keeps those that ended later', async () => {
    const { id } = await fixture.addEndpoint(account);
    await addOld(id, MANY, 15);
    const later = await fixture.addEndpoint(account);
    await addOld(later.id, 2, 13);
    await fixture.purgeExpired();
    expect(await left(id)).toBe(0);
    expect(await left(later.id)).toBe(2);
  });

  it('keeps a delivery that somebody retries meanwhile, and waits for nobody', async () => {
    const { id } = await fixture.addEndpoint(account);
    const last = await addOld(id, 3, 15);
    const retry = await lockRows(fixture.service, 'SELECT FROM webhook_deliveries WHERE id = $1', [last]);
    await fixture.purgeExpired();
    expect(await left(id)).toBe(1);
    await retry();
    await account.asAdmin('post', `/api/webhooks/deliveries/${last}/retry`).expect(200);
    await fixture.purgeExpired();
    expect(await left(id)).toBe(1);
  });

  it('hides the deliveries of a deleted endpoint at once and removes them soon after', async () => {
    const { id } = await fixture.addEndpoint(account);
    const deliveryId = await addOld(id, MANY, 1);
    const other = await fixture.addEndpoint(account);
    await addOld(other.id, 1, 1);
    await account.asAdmin('delete', `/api/webhooks/${id}`).expect(200);
    await account.asAdmin('get', `/api/webhooks/${id}/deliveries`).expect(404);
    await account.asAdmin('get', `/api/webhooks/deliveries/${deliveryId}`).expect(404, NOT_FOUND);
    await account.asAdmin('post', `/api/webhooks/deliveries/${deliveryId}/retry`).expect(404, NOT_FOUND);
    expect((await account.asAdmin('get', '/api/webhooks').expect(200)).body).toMatchObject({ total: 1 });

    await fixture.removeDeleted();
    expect(await left(id)).toBe(0);
    expect(await fixture.service.query('SELECT FROM webhook_endpoints WHERE id = $1', [id])).toEqual([]);
    expect(await fixture.service.query('SELECT FROM webhook_attempts WHERE delivery_id = $1', [deliveryId])).toEqual(
      [],
    );
    expect(await left(other.id)).toBe(1);
  });
});
