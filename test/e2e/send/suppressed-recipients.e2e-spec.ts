import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('A send to a suppressed recipient', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());

  async function accountAndKey(dailySendCap = 1_000): Promise<[TestAccount, TestKey]> {
    const account = await service.createAccount({ dailySendCap });
    await account.verifySender(SENDER);
    return [account, await account.createKey()];
  }
  const suppress = (account: TestAccount, entry: object) =>
    account.asAdmin('post', '/api/suppressions').send(entry).expect(201);
  const addContact = async (account: TestAccount, email: string): Promise<string> =>
    (await account.asAdmin('post', '/api/contacts').send({ email }).expect(201)).body.id;
  const send = (key: TestKey, mail: object) => postEmail(service, key.secret, { text: 'Thank you', ...mail });

  it('is refused in any spelling, and no other address beside it in the list', async () => {
    const [[account, key], [other]] = [await accountAndKey(), await accountAndKey()];
    for (const email of ['bob@example.org', 'dave@bücher.example']) await suppress(account, { email });
    await suppress(account, { phone: '+14155550123' });
    await suppress(other, { email: 'carol@example.org' });
    const erased = await addContact(account, 'erin@example.org');
    await suppress(account, { email: 'erin@example.org' });
    await account.asAdmin('post', `/api/contacts/${erased}/erase`).expect(200);
    const contactId = await addContact(account, 'frank@example.org');

    for (const to of ['bob@example.org', ' BOB@Example.ORG', 'dave@xn--bcher-kva.example', 'Erin@example.org'])
      await send(key, { to }).expect(400, badRequest(`${to.trim()} is suppressed`));
    const accepted = ['a@a.example', 'bob+1@example.org', 'bob@example.orga', 'carol@example.org', 'frank@example.org'];
    for (const to of [...accepted, 'zoe@example.org']) await send(key, { to }).expect(201);
    const { body } = await account.asAdmin('get', '/api/messages').expect(200);
    const contacts = new Map(
      (body.items as { to: string; contactId: string | null }[]).map((item) => [item.to, item.contactId]),
    );
    expect(contacts.get('frank@example.org')).toBe(contactId);
    expect([...contacts.values()].filter((id) => id !== null)).toEqual([contactId]);
  });

  it('takes nothing of the caps, whatever it is accepted with', async () => {
    const [account, key] = await accountAndKey(5);
    await suppress(account, { email: 'bob@example.org' });
    const to = (i: number) => (i % 2 === 0 ? 'bob@example.org' : `r${i}@example.org`);
    const sent = await Promise.all(Array.from({ length: 10 }, (_, i) => send(key, { to: to(i) })));
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 400 : 201)));
    await send(key, { to: 'bob@example.org' }).expect(429, errorBody(429, 'Daily send limit reached'));
  });

  it('is refused for its sender first, then for its recipient, then for its content', async () => {
    const [account, key] = await accountAndKey();
    await suppress(account, { email: 'bob@example.org' });
    const [to, templateId] = ['bob@example.org', 'c000000000000000000000000'];
    const refusal = badRequest('bob@example.org is suppressed');
    await send(key, { to, templateId, fromEmail: 'x@example.com' }).expect(
      400,
      badRequest('x@example.com is not verified for sending'),
    );
    await send(key, { to, templateId }).expect(400, refusal);
    await send(key, { to, tags: ['news'] }).expect(400, refusal);
    await send(key, { to: 'ada@example.org', cc: [to] }).expect(400, refusal);
  });

  it('that repeats an earlier request is answered like that', async () => {
    const [account, key] = await accountAndKey();
    const repeat = () => send(key, { to: 'bob@example.org' }).set('Idempotency-Key', 'order-1');
    const { body } = await repeat().expect(201);
    await suppress(account, { email: 'bob@example.org' });
    await repeat().expect(201, body);
    await send(key, { to: 'bob@example.org', text: 'Another' }).set('Idempotency-Key', 'order-1').expect(409);
    await send(key, { to: 'bob@example.org' }).set('Idempotency-Key', 'order-2').expect(400);
  });
});
