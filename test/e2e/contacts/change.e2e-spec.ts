import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const UNKNOWN = 'c000000000000000000000000';

describe('/api/contacts/:id', () => {
  let service: TestService;
  let account: TestAccount;
  let contact: { id: string; updatedAt: string };

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    const ada = { email: 'Ada@example.com', firstName: 'Ada', tags: ['vip', 'old'] };
    ({ body: contact } = await account.asAdmin('post', '/api/contacts').send(ada).expect(201));
  });

  const path = () => `/api/contacts/${contact.id}`;
  const change = (body: object) => account.asAdmin('patch', path()).send(body);
  const tagged = async (tag: string) =>
    (await account.asMember('get', `/api/contacts?tag=${tag}`).expect(200)).body.total as number;

  it('changes what is sent', async () => {
    service.clock.advance({ seconds: 1 });
    const { body } = await change({ lastName: 'King', firstName: null, tags: ['vip', 'new'] }).expect(200);
    const { updatedAt } = body;
    expect(body).toEqual({ ...contact, firstName: null, lastName: 'King', tags: ['new', 'vip'], updatedAt });
    expect(updatedAt > contact.updatedAt).toBe(true);
    await account.asMember('get', path()).expect(200, body);
    expect([await tagged('old'), await tagged('new'), await tagged('vip')]).toEqual([0, 1, 1]);
    service.clock.advance({ seconds: 1 });
    await change({ lastName: 'King' }).expect(200, body);
    await change({}).expect(200, body);
  });

  it('loses none of several concurrent changes', async () => {
    await Promise.all([
      change({ firstName: 'A' }).expect(200),
      change({ lastName: 'B' }).expect(200),
      change({ company: 'C' }).expect(200),
      change({ tags: ['d'] }).expect(200),
    ]);
    const { body } = await account.asMember('get', path()).expect(200);
    expect(body).toMatchObject({ firstName: 'A', lastName: 'B', company: 'C', tags: ['d'] });
  });

  it.each([
    [{ email: 'other@example.com' }, 'email is not a known field'],
    [{ status: 'complained' }, 'status must be active or unsubscribed'],
    [{ firstName: 'x'.repeat(201) }, 'firstName must be shorter than or equal to 200 characters'],
    [{ listIds: [UNKNOWN] }, `listIds: there is no list ${UNKNOWN}`],
  ])('refuses %.70j', async (body, message) => {
    await change(body).expect(400, badRequest(message));
  });

  it('deletes a contact and keeps its suppression', async () => {
    await change({ status: 'unsubscribed' }).expect(200);
    const { body } = await account.asAdmin('delete', path()).expect(200);
    expect(body).toMatchObject({ id: contact.id, status: 'unsubscribed' });
    await account.asMember('get', path()).expect(404, errorBody(404, 'Contact not found'));
    expect(await tagged('vip')).toBe(0);
    const { body: suppressions } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(suppressions.items).toMatchObject([{ address: 'Ada@example.com', reason: 'unsubscribed' }]);
    const again = await account.asAdmin('post', '/api/contacts').send({ email: 'ada@example.com' }).expect(201);
    expect(again.body).toMatchObject({ status: 'unsubscribed', firstName: null });
    expect(again.body.id).not.toBe(contact.id);
  });

  it('can be changed by admins and keys, and read by members too', async () => {
    const { secret } = await account.createKey({ scopes: ['contacts:write'] });
    const byKey = (method: 'get' | 'patch') => service.request(method, path()).set('X-API-Key', secret);
    await byKey('patch').send({ firstName: 'Key' }).expect(200);
    await byKey('get').expect(403);
    await account.asMember('patch', path()).send({ firstName: 'Member' }).expect(403);
    await account.asMember('delete', path()).expect(403);
  });
});
