import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { WEBHOOK_EVENTS } from '../../../src/modules/webhooks/domain/webhook-event.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { raceForAccount } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const ENDPOINT_URL = 'https://hooks.example.com/in?key=1';

describe('POST /api/webhooks', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const create = (body: object) => account.asAdmin('post', '/api/webhooks').send(body);
  const sound = { url: ENDPOINT_URL, events: ['contact.bounced'] };
  const count = async () =>
    (await service.query('SELECT FROM webhook_endpoints WHERE account_id = $1', [account.id])).length;

  it('adds an endpoint and returns its secret', async () => {
    const wanted = { url: ENDPOINT_URL, events: [...WEBHOOK_EVENTS], description: 'CRM' };
    const { body, headers } = await create(wanted).expect(201);
    expect(body).toEqual({
      ...wanted,
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      testEvents: false,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('stores the secret encrypted', async () => {
    const { body } = await create(sound).expect(201);
    const [row] = await service.query<{ sealed_secret: string }>(
      'SELECT sealed_secret FROM webhook_endpoints WHERE id = $1',
      [body.id],
    );
    expect(row!.sealed_secret).toMatch(/^v1\./);
    expect(row!.sealed_secret).not.toContain(body.signingSecret);
  });

  it.each([
    [{ ...sound, url: undefined }, /^url must /],
    [{ ...sound, url: 7 }, /^url must /],
    [{ ...sound, url: '' }, /^url must /],
    [{ ...sound, url: 'ftp://example.com' }, /^url must be an http or https URL$/],
    [{ ...sound, url: 'example.com/hook' }, /^url must be an http or https URL$/],
    [{ ...sound, url: 'https://user:secret@example.com' }, /^url must not contain credentials$/],
    [{ ...sound, url: `https://example.com/${'a'.repeat(2_048)}` }, /^url must be shorter than/],
    [{ ...sound, url: 'https://127.0.0.1/hook' }, /^url must not point to a private/],
    [{ ...sound, url: 'http://169.254.169.254/latest/meta-data' }, /^url must not point to a private/],
    [{ ...sound, url: 'https://[::ffff:10.0.0.1]/' }, /^url must not point to a private/],
    [{ ...sound, url: 'http://localhost:3000' }, /^url must not point to a private/],
    [{ ...sound, events: undefined }, /^events must /],
    [{ ...sound, events: [] }, /^events should not be empty$/],
    [{ ...sound, events: 'contact.bounced' }, /^events must be an array$/],
    [{ ...sound, events: ['contact.opened'] }, /^events must be some of contact\.unsubscribed, /],
    [{ ...sound, events: ['webhook.test'] }, /^events must be some of/],
    [{ ...sound, events: ['sms.inbound', 'sms.inbound'] }, /^events must name each event once$/],
    [{ ...sound, description: 7 }, /^description must /],
    [{ ...sound, testEvents: 'yes' }, /^testEvents must be a boolean value$/],
    [{ ...sound, description: 'x'.repeat(201) }, /^description must /],
    [{ ...sound, secret: 'mine' }, /^secret is not a known field$/],
  ])('refuses %j', async (body, message) => {
    const { body: answer } = await create(body).expect(400);
    expect(answer).toEqual(badRequest(expect.stringMatching(message) as unknown as string));
    expect(await count()).toBe(0);
  });

  it('adds at most 50 endpoints to an account, even under concurrency', async () => {
    const rows = Array.from({ length: 48 }, (_, i) => `c${String(i).padStart(24, '0')}`);
    await service.query(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, sealed_secret, enabled, created_at, updated_at)
       SELECT id, $2, 'https://example.com', '{sms.inbound}', '', true, now(), now() FROM unnest($1::text[]) AS id`,
      [rows, account.id],
    );
    const answers = await raceForAccount(
      service,
      account.id,
      [1, 2, 3].map(() => () => create(sound)), // more would wait for the lane of the account
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toEqual(
      errorBody(409, 'An account has at most 50 webhook endpoints'),
    );
    expect(await count()).toBe(50);
    await service.query('DELETE FROM webhook_endpoints WHERE account_id = $1', [account.id]);
  });
});

describe('In production', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', NODE_ENV: 'production' });
  });
  afterAll(() => service.stop());

  it('requires https for new and for changed endpoints', async () => {
    const account = await service.createAccount();
    const refusal = badRequest('url must be an https URL');
    const events = ['sms.inbound'];
    const create = (url: string) => account.asAdmin('post', '/api/webhooks').send({ url, events });
    await create('http://example.com').expect(400, refusal);
    const { body } = await create('https://example.com').expect(201);
    const change = account.asAdmin('patch', `/api/webhooks/${body.id}`).send({ url: 'http://example.com' });
    await change.expect(400, refusal);
  });
});
