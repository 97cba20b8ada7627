import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

describe('POST /api/webhooks/:id/test', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;
  let endpoint: Awaited<ReturnType<WebhookFixture['addEndpoint']>>;

  beforeAll(async () => {
    fixture = await WebhookFixture.start({ ROLE: 'api', BRAND: 'Acme-Mail' });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await fixture.service.createAccount();
    endpoint = await fixture.addEndpoint(account);
  });

  const path = (rest: string) => `/api/webhooks/${endpoint.id}${rest}`;
  const test = () => account.asAdmin('post', path('/test'));

  it('sends a signed event at once and returns the result', async () => {
    expect((await test().expect(200)).body).toEqual({
      delivered: true,
      statusCode: 200,
      durationMs: expect.any(Number),
      error: null,
    });
    const [post] = await fixture.receiver.received(endpoint.path);
    expect(JSON.parse(post!.body)).toEqual({
      event: 'webhook.test',
      occurredAt: expect.any(String),
      accountId: account.id,
      data: { endpointId: endpoint.id },
    });
    expect(post!.headers).toMatchObject({
      'user-agent': 'Acme-Mail-Webhooks/1.0',
      'x-acme-mail-event': 'webhook.test',
      'x-acme-mail-attempt': '1',
      'x-acme-mail-delivery': expect.stringMatching(/^c[a-z0-9]{24}$/),
      'x-acme-mail-signature': expect.stringMatching(/^v1=/),
    });
  });

  it('returns failures and stores nothing', async () => {
    await fixture.receiver.answer(endpoint.path, { status: 404, body: 'no' }, 'drop');
    expect((await test().expect(200)).body).toMatchObject({ delivered: false, statusCode: 404, error: 'Answered 404' });
    expect((await test().expect(200)).body).toMatchObject({
      delivered: false,
      statusCode: null,
      error: expect.stringMatching(/./),
    });
    expect(await fixture.deliveries(account, endpoint.id)).toEqual([]);
    expect(await fixture.read(account, endpoint.id)).toMatchObject({ enabled: true, failingSince: null });
  });

  it('clears the failing state only on success', async () => {
    const fails = (since: Date) =>
      fixture.service.query(
        'UPDATE webhook_endpoints SET failing_since = $2, undelivered_since = $2, last_undelivered_at = $2 WHERE id = $1',
        [endpoint.id, since],
      );
    const since = fixture.service.clock.now();
    await fails(since);
    await fixture.receiver.answer(endpoint.path, 500, 200);
    expect((await test().expect(200)).body).toMatchObject({ delivered: false });
    expect(await fixture.read(account, endpoint.id)).toMatchObject({ failingSince: since.toISOString() });
    expect((await test().expect(200)).body).toMatchObject({ delivered: true });
    expect(await fixture.read(account, endpoint.id)).toMatchObject({ enabled: true, failingSince: null });
    const [row] = await fixture.service.query(
      'SELECT undelivered_since, last_undelivered_at FROM webhook_endpoints WHERE id = $1',
      [endpoint.id],
    );
    expect(row).toEqual({ undelivered_since: null, last_undelivered_at: null });
  });

  it('tests a disabled endpoint too', async () => {
    await account.asAdmin('patch', path('')).send({ enabled: false }).expect(200);
    expect((await test().expect(200)).body).toMatchObject({ delivered: true });
  });
});

describe('A rotated secret', () => {
  let fixture: WebhookFixture;

  beforeAll(async () => {
    fixture = await WebhookFixture.start({ ROLE: 'api' });
  });
  afterAll(() => fixture.stop());

  it('signs attempts at once, together with the old one for a day', async () => {
    const account = await fixture.service.createAccount();
    const { id, path, signingSecret: previous } = await fixture.addEndpoint(account);
    const { body } = await account.asAdmin('post', `/api/webhooks/${id}/rotate-secret`).expect(200);
    await fixture.receiver.trust(path, { current: body.signingSecret, previous });
    const test = () => account.asAdmin('post', `/api/webhooks/${id}/test`).expect(200);
    await test();
    fixture.service.clock.advance({ hours: 23, minutes: 59 });
    await test();
    fixture.service.clock.advance({ minutes: 2 });
    await test();
    const posts = await fixture.receiver.received(path);
    expect(posts.map(({ signature }) => signature)).toEqual(['valid', 'valid', 'valid']);
    expect(posts.map(({ previousSignature }) => previousSignature)).toEqual(['valid', 'valid', 'missing']);
  });
});
