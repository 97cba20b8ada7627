import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { WebhookWithSecretResponse } from '../../../src/modules/webhooks/http/webhook.response.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const NOT_FOUND = errorBody(404, 'Webhook endpoint not found');
const NOT_ADMIN = errorBody(403, 'This needs the role admin');

let service: TestService;
let account: TestAccount;
let other: TestAccount;
let endpoint: WebhookWithSecretResponse;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  other = await service.createAccount();
  endpoint = await create();
});

async function create(url = 'https://example.com/hook'): Promise<WebhookWithSecretResponse> {
  const parts = { url, events: ['contact.bounced'], description: 'CRM' };
  return (await account.asAdmin('post', '/api/webhooks').send(parts).expect(201)).body;
}
const shown = () => {
  const shownToAll: Partial<WebhookWithSecretResponse> = { ...endpoint };
  delete shownToAll.signingSecret;
  return shownToAll;
};
const path = (rest = '') => `/api/webhooks/${endpoint.id}${rest}`;

describe('GET /api/webhooks', () => {
  it('lists the endpoints of the account, newest first, without secrets', async () => {
    const newer = await create('https://example.com/newer');
    const { body } = await account.asMember('get', '/api/webhooks').expect(200);
    expect(body).toEqual({
      items: [expect.objectContaining({ id: newer.id }), shown()],
      total: 2,
      page: 1,
      pageSize: 25,
      totalPages: 1,
    });
    expect(JSON.stringify(body)).not.toContain('whsec_');
    expect((await other.asAdmin('get', '/api/webhooks').expect(200)).body).toMatchObject({ items: [], total: 0 });
    await account.asMember('get', '/api/webhooks?limit=101').expect(400);
  });
});

describe('GET /api/webhooks/:id', () => {
  it('shows an endpoint to all users of the account, and to no other account', async () => {
    expect((await account.asMember('get', path()).expect(200)).body).toEqual(shown());
    await other.asAdmin('get', path()).expect(404, NOT_FOUND);
    await account.asAdmin('get', '/api/webhooks/nonsense').expect(404, NOT_FOUND);
  });
});

describe('PATCH /api/webhooks/:id', () => {
  const change = (body: object) => account.asAdmin('patch', path()).send(body);

  it('changes the given fields and keeps the others', async () => {
    const { body } = await change({ url: 'https://example.com/new', events: ['sms.inbound'] }).expect(200);
    expect(body).toMatchObject({ url: 'https://example.com/new', events: ['sms.inbound'], description: 'CRM' });
    expect((await change({ description: null }).expect(200)).body).toMatchObject({ description: null, enabled: true });
    expect((await change({}).expect(200)).body).toMatchObject({ url: 'https://example.com/new', description: null });
  });

  it('disables and enables an endpoint', async () => {
    const { body: off } = await change({ enabled: false }).expect(200);
    expect(off).toMatchObject({ enabled: false, disabledAt: expect.any(String), disabledReason: null });
    expect((await change({ enabled: false }).expect(200)).body).toMatchObject({ disabledAt: off.disabledAt });
    expect((await change({ enabled: true }).expect(200)).body).toMatchObject({ enabled: true, disabledAt: null });
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, /^url must not point to a private/],
    [{ url: null }, /^url must /],
    [{ events: [] }, /^events should not be empty/],
    [{ events: ['x'] }, /^events must be some of/],
    [{ enabled: 'yes' }, /^enabled must be a boolean value/],
    [{ enabled: null }, /^enabled must be a boolean value/],
    [{ description: '' }, /^description must be longer/],
    [{ signingSecret: 'mine' }, /^signingSecret is not a known field/],
  ])('refuses %j and changes nothing', async (body, message) => {
    const { body: answer } = await change(body).expect(400);
    expect(answer).toEqual(badRequest(expect.stringMatching(message) as unknown as string));
    expect((await account.asMember('get', path()).expect(200)).body).toEqual(shown());
  });

  it('loses none of several concurrent changes', async () => {
    await Promise.all([
      change({ url: 'https://example.com/a' }).expect(200),
      change({ description: 'b' }).expect(200),
      change({ events: ['sms.inbound'] }).expect(200),
      change({ enabled: false }).expect(200),
      account.asAdmin('post', path('/rotate-secret')).expect(200),
    ]);
    const { body } = await account.asAdmin('get', path('/secret')).expect(200);
    const changed = { url: 'https://example.com/a', description: 'b', events: ['sms.inbound'], enabled: false };
    expect(body).toMatchObject({ ...changed, previousSecretUntil: expect.any(String) });
    expect(body.signingSecret).not.toBe(endpoint.signingSecret);
  });
});

describe('DELETE /api/webhooks/:id', () => {
  it('removes the endpoint', async () => {
    expect((await account.asAdmin('delete', path()).expect(200)).body).toEqual(shown());
    await account.asAdmin('get', path()).expect(404, NOT_FOUND);
    await account.asAdmin('delete', path()).expect(404, NOT_FOUND);
  });
});

describe('GET /api/webhooks/:id/secret', () => {
  it('reveals the secret only to admins of the account', async () => {
    const { body, headers } = await account.asAdmin('get', path('/secret')).expect(200);
    expect(body).toEqual(endpoint);
    expect(headers['cache-control']).toBe('no-store');
    await account.asMember('get', path('/secret')).expect(403, NOT_ADMIN);
    await other.asAdmin('get', path('/secret')).expect(404, NOT_FOUND);
  });
});

describe('POST /api/webhooks/:id/rotate-secret', () => {
  it('returns a new secret and the time until which the old one stays in use', async () => {
    const { body } = await account.asAdmin('post', path('/rotate-secret')).expect(200);
    expect(body.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.signingSecret).not.toBe(endpoint.signingSecret);
    const hours = (Date.parse(body.previousSecretUntil as string) - service.clock.now().getTime()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    expect((await account.asAdmin('get', path('/secret')).expect(200)).body).toEqual(body);
  });

  it('refuses within a minute of the last rotation, so that a repeated call keeps the old secret valid', async () => {
    const rotate = () => account.asAdmin('post', path('/rotate-secret'));
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await rotate().expect(409, errorBody(409, 'The signing secret was changed less than a minute ago'));
    const { body } = await account.asAdmin('get', path('/secret')).expect(200);
    expect(body).toEqual(answers.find(({ status }) => status === 200)!.body);
    service.clock.advance({ seconds: 61 });
    await rotate().expect(200);
  });
});
