import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('Messages to contacts', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let contactId: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
    const other = await service.createAccount();
    const ada = { email: 'Ada@example.org', firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'] };
    await other.asAdmin('post', '/api/contacts').send({ email: 'stranger@example.org' }).expect(201);
    ({ id: contactId } = (await account.asAdmin('post', '/api/contacts').send(ada).expect(201)).body);
  });
  afterAll(() => service.stop());

  const send = async (to: string): Promise<string> => {
    const message = { to, fromEmail: SENDER, subject: 'Your order', text: 'Thank you' };
    const { body } = await service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', key.secret)
      .send(message)
      .expect(201);
    return body.messageLogId as string;
  };
  const asKey = (id: string) => service.request('get', `/api/messages/${id}`).set('X-API-Key', key.secret);
  const asMember = (id: string) => account.asMember('get', `/api/messages/${id}`);

  it('name the contact, and show its details to users of the account', async () => {
    const id = await send('ADA@example.org');
    const { body: forKey } = await asKey(id).expect(200);
    expect(forKey.contactId).toBe(contactId);
    expect(forKey).not.toHaveProperty('contact');
    expect(JSON.stringify(forKey)).not.toContain('Lovelace');
    const { body } = await asMember(id).expect(200);
    expect(body).toMatchObject({ contactId, campaign: null });
    expect(body.contact).toEqual({
      id: contactId,
      email: 'Ada@example.org',
      firstName: 'Ada',
      lastName: 'Lovelace',
      company: null,
      tags: ['vip'],
      status: 'active',
    });
  });

  it('name no contact if the account has none with the address', async () => {
    const { body } = await asMember(await send('stranger@example.org')).expect(200);
    expect(body).toMatchObject({ contactId: null, contact: null });
  });

  it('show no contact after it was deleted', async () => {
    const id = await send('ada@example.org');
    await account.asAdmin('delete', `/api/contacts/${contactId}`).expect(200);
    const { body } = await asMember(id).expect(200);
    expect(body).toMatchObject({ contactId, contact: null });
  });
});
