import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { isId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const MINUTE_MS = 60_000;

/** Responses hold times as text. */
const timeOf = (time: Date | null): number => new Date(time!).getTime();

describe('Webhook deliveries', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.service.clock.unfreeze();
    account = await fixture.service.createAccount();
  });

  const received = (path: string) => fixture.receiver.received(path);
  /** Sets the clock to `seconds` after the time, or before it if negative, and sweeps. */
  async function sweepAt(at: Date | null, seconds: number): Promise<void> {
    const { clock } = fixture.service;
    clock.advance({ seconds: (timeOf(at) - clock.now().getTime()) / 1_000 + seconds });
    await fixture.sweep();
  }

  it('carry the documented headers and body, signed', async () => {
    fixture.service.clock.freeze(); // the times are exact
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.suppress(account, 'Ada@Example.com');
    expect(await fixture.dispatch()).toBe(1);
    const delivery = await fixture.waitForState(account, id, 'delivered', 1);
    const [post, ...others] = await received(path);
    expect(others).toEqual([]);
    expect(post).toMatchObject({ method: 'POST', signature: 'valid' });
    expect(post!.headers).not.toHaveProperty('x-service-signature-previous');
    expect(post!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'contact.suppressed',
      'x-service-attempt': '1',
      'x-service-signature': expect.stringMatching(/^v1=[A-Za-z0-9+/]{43}=$/),
    });
    expect(isId(post!.headers['x-service-delivery']!)).toBe(true);
    const now = Math.floor(fixture.service.clock.now().getTime() / 1_000);
    expect(post!.headers['x-service-timestamp']).toBe(String(now));
    expect(JSON.parse(post!.body)).toEqual({
      event: 'contact.suppressed',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      accountId: account.id,
      data: {
        email: 'ada@example.com',
        channel: 'email',
        reason: 'manual',
        source: 'dashboard',
        contactId: null,
        firstName: null,
        lastName: null,
        campaignId: null,
      },
    });
    expect(Object.keys(JSON.parse(post!.body) as object)).toEqual(['event', 'occurredAt', 'accountId', 'data']);
    expect(delivery).toMatchObject({ body: post!.body, nextAttemptAt: null, attemptCount: 1 });
    expect(delivery.attempts).toEqual([
      {
        id: post!.headers['x-service-delivery'],
        number: 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        requestHeaders: expect.objectContaining({ 'X-Service-Event': 'contact.suppressed' }),
        statusCode: 200,
        error: null,
        responseHeaders: expect.objectContaining({ connection: 'keep-alive' }),
        responseBody: 'ok',
      },
    ]);
  });

  it('go to every endpoint of the account that subscribes to the event, and to no other', async () => {
    const other = await fixture.service.createAccount();
    const both = [await fixture.addEndpoint(account), await fixture.addEndpoint(account)];
    const elsewhere = await fixture.addEndpoint(account, { events: ['contact.bounced', 'sms.inbound'] });
    const off = await fixture.addEndpoint(account);
    await account.asAdmin('patch', `/api/webhooks/${off.id}`).send({ enabled: false }).expect(200);
    const theirs = await fixture.addEndpoint(other);
    await fixture.fire(account);
    for (const { id, path } of both) {
      await fixture.waitForState(account, id, 'delivered', 1);
      expect(await received(path)).toHaveLength(1);
    }
    expect(await fixture.service.query('SELECT id FROM outbox_events')).toEqual([]);
    for (const { id } of [elsewhere, off]) expect(await fixture.deliveries(account, id)).toEqual([]);
    expect(await fixture.deliveries(other, theirs.id)).toEqual([]);
  });

  it('fail after six attempts, 1, 2, 4, 8 and 16 minutes apart with up to 10 % of jitter', async () => {
    fixture.service.clock.freeze(); // the times are exact
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, { status: 500, body: 'broken' });
    await fixture.fire(account);
    for (const [made, minutes] of [1, 2, 4, 8, 16].entries()) {
      const { nextAttemptAt, attempts } = await fixture.waitForState(account, id, 'retrying', made + 1);
      const waited = timeOf(nextAttemptAt) - timeOf(attempts.at(-1)!.startedAt);
      expect(waited).toBeGreaterThanOrEqual(minutes * MINUTE_MS);
      expect(waited).toBeLessThanOrEqual(minutes * MINUTE_MS * 1.1);
      await sweepAt(nextAttemptAt, -20);
      expect(await fixture.deliveries(account, id)).toMatchObject([{ state: 'retrying', attemptCount: made + 1 }]);
      await sweepAt(nextAttemptAt, 1);
    }
    const failed = await fixture.waitForState(account, id, 'failed', 6);
    expect(failed).toMatchObject({ nextAttemptAt: null, completedAt: expect.any(String) });
    fixture.service.clock.advance({ hours: 2 });
    await fixture.sweep();
    const posts = await received(path);
    expect(posts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(new Set(posts.map(({ headers }) => headers['x-service-delivery'])).size).toBe(6);
    expect(new Set(posts.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(6);
    expect(posts.every(({ signature }) => signature === 'valid')).toBe(true);
    expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
    expect(failed.attempts).toHaveLength(6);
    expect(failed.attempts[0]).toMatchObject({ statusCode: 500, error: 'Answered 500', responseBody: 'broken' });
  });

  it('end when a later attempt succeeds', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, 503, 204);
    await fixture.fire(account);
    const { nextAttemptAt } = await fixture.waitForState(account, id, 'retrying', 1);
    expect(await fixture.read(account, id)).toMatchObject({ failingSince: expect.any(String) });
    await sweepAt(nextAttemptAt, 1);
    await fixture.waitForState(account, id, 'delivered', 2);
    expect(await fixture.read(account, id)).toMatchObject({ failingSince: null });
  });

  it('follow no redirects', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, 'redirect');
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'failed_permanent', 1);
    expect(await received('/redirected')).toEqual([]);
  });

  it('are retried with an error if the connection breaks', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, 'drop');
    await fixture.fire(account);
    const { attempts } = await fixture.waitForState(account, id, 'retrying', 1);
    expect(attempts).toMatchObject([
      { statusCode: null, error: expect.stringMatching(/./), responseHeaders: null, responseBody: null },
    ]);
  });

  it('wait as long as Retry-After requests', async () => {
    fixture.service.clock.freeze(); // the times are exact
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, { status: 429, headers: { 'retry-after': '1200' } });
    await fixture.fire(account);
    const { nextAttemptAt, attempts } = await fixture.waitForState(account, id, 'retrying', 1);
    expect(timeOf(nextAttemptAt) - timeOf(attempts[0]!.startedAt)).toBe(20 * MINUTE_MS);
  });

  it('are attempted once each when the receiver starts to fail during a burst', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, ...Array.from({ length: 120 }, () => 200), 500);
    const csv = Array.from({ length: 300 }, (_, i) => `many${i}@example.com`).join('\n');
    await account.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv).expect(200);
    await fixture.dispatch();
    const states = () =>
      fixture.service.query<{ state: string; attempts: number; count: number }>(
        `SELECT state, attempts, count(*)::integer AS count FROM webhook_deliveries WHERE endpoint_id = $1
         GROUP BY 1, 2 ORDER BY 1`,
        [id],
      );
    const expected = [
      { state: 'delivered', attempts: 1, count: 120 },
      { state: 'retrying', attempts: 1, count: 180 },
    ];
    await waitFor('all outcomes', async () => (await states()).every(({ state }) => /delivered|retrying/.test(state)));
    expect(await states()).toEqual(expected);
    expect(await received(path)).toHaveLength(300);
  });

  it('disable an endpoint after five days of permanent failures, and lose no event until it is enabled', async () => {
    const { clock } = fixture.service;
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, 500);
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'retrying', 1);
    await fixture.receiver.answer(path, 404);
    for (let day = 0; day < 5; day++) {
      await fixture.fire(account);
      await fixture.waitForState(account, id, 'failed_permanent', 1);
      clock.advance({ hours: 23 });
    }
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'failed_permanent', 1);
    expect(await fixture.read(account, id)).toMatchObject({ enabled: true, failingSince: expect.any(String) });
    clock.advance({ hours: 6 });
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'failed_permanent', 1);
    expect(await fixture.read(account, id)).toMatchObject({
      enabled: false,
      disabledReason: 'Every delivery has failed for 5 days',
      disabledAt: expect.any(String),
    });
    const before = (await received(path)).length;
    await fixture.fire(account);
    await fixture.fire(account);
    await fixture.sweep();
    expect((await fixture.deliveries(account, id)).slice(0, 2)).toMatchObject([
      { state: 'pending', attemptCount: 0 },
      { state: 'pending', attemptCount: 0 },
    ]);
    expect(await received(path)).toHaveLength(before);

    await fixture.receiver.answer(path, 200);
    const { body } = await account.asAdmin('patch', `/api/webhooks/${id}`).send({ enabled: true }).expect(200);
    expect(body).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null });
    const states = async () => (await fixture.deliveries(account, id)).map(({ state }) => state);
    await waitFor('the events kept meanwhile', async () =>
      (await states()).slice(0, 2).every((state) => state === 'delivered'),
    );
  });

  it('are attempted six times if the endpoint failed long ago and had no events since', async () => {
    const { clock } = fixture.service;
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, 404);
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'failed_permanent', 1);
    clock.advance({ days: 6 });
    await fixture.receiver.answer(path, 503);
    await fixture.fire(account);
    for (let made = 1; made < 6; made++)
      await sweepAt((await fixture.waitForState(account, id, 'retrying', made)).nextAttemptAt, 1);
    await fixture.waitForState(account, id, 'failed', 6);
    await fixture.receiver.answer(path, 404);
    await fixture.fire(account);
    await fixture.waitForState(account, id, 'failed_permanent', 1);
    expect(await fixture.read(account, id)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('that succeed reset the days of failure', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    for (let day = 0; day < 12; day++) {
      await fixture.receiver.answer(path, day === 5 ? 200 : 404);
      await fixture.fire(account);
      await fixture.waitForState(account, id, day === 5 ? 'delivered' : 'failed_permanent', 1);
      expect(await fixture.read(account, id)).toMatchObject({ enabled: true });
      if (day < 11) fixture.service.clock.advance({ hours: 20 });
    }
  });

  it('are kept for 14 days after they end, and for as long when their endpoint is disabled', async () => {
    const ended = await fixture.addEndpoint(account);
    const held = await fixture.addEndpoint(account);
    await fixture.receiver.answer(held.path, 500);
    await fixture.receiver.answer(ended.path, 400);
    await fixture.fire(account);
    await fixture.waitForState(account, ended.id, 'failed_permanent', 1);
    await fixture.waitForState(account, held.id, 'retrying', 1);
    await account.asAdmin('patch', `/api/webhooks/${held.id}`).send({ enabled: false }).expect(200);
    fixture.service.clock.advance({ days: 13, hours: 23 });
    await fixture.purgeExpired();
    for (const { id } of [ended, held]) expect(await fixture.deliveries(account, id)).toHaveLength(1);
    fixture.service.clock.advance({ hours: 2 });
    await fixture.purgeExpired();
    for (const { id } of [ended, held]) expect(await fixture.deliveries(account, id)).toEqual([]);
    expect(
      await fixture.service.query(
        'SELECT FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.account_id = $1',
        [account.id],
      ),
    ).toEqual([]);
  });
});
