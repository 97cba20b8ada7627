import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type AddressToSuppress, SuppressAddresses } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('Contacts and suppressions', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const upsert = (body: object) => account.asAdmin('post', '/api/contacts').send(body);
  const upload = (contacts: object[]) => account.asAdmin('post', '/api/contacts/import').send({ contacts });
  const suppress = (email: string) => account.asAdmin('post', '/api/suppressions').send({ email });
  const provider = (addresses: Pick<AddressToSuppress, 'address' | 'reason'>[]) =>
    service.app
      .get(SuppressAddresses, { strict: false })
      .suppress(addresses.map((one) => ({ accountId: account.id, channel: 'email', source: 'provider', ...one })));
  const statuses = async () =>
    Object.fromEntries(
      (
        await service.query<{ name: string; status: string }>(
          `SELECT split_part(normalised_email, '@', 1) AS name, status FROM contacts WHERE account_id = $1`,
          [account.id],
        )
      ).map(({ name, status }) => [name, status]),
    );
  const entries = () =>
    service.query<{ id: string; address: string; reason: string; source: string; contact_id: string | null }>(
      'SELECT id, address, reason, source, contact_id FROM suppressions WHERE account_id = $1 ORDER BY address',
      [account.id],
    );
  const events = () =>
    service.query<{ type: string; data: Record<string, unknown> }>(
      'SELECT type, data FROM outbox_events WHERE account_id = $1 ORDER BY type',
      [account.id],
    );

  it('set the status of the contact by reason, and name the contact in the event and the entry', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['Bea', 'Cy', 'Mo', 'Una']) {
      const { body } = await upsert({ email: `${name}@example.com`, firstName: name, lastName: 'Doe' }).expect(201);
      ids[name] = body.id as string;
    }
    const { body: before } = await upsert({ email: 'free@example.com' }).expect(201);
    service.clock.advance({ seconds: 1 });
    await provider([
      { address: 'bea@example.com', reason: 'bounced' },
      { address: 'cy@example.com', reason: 'complained' },
      { address: 'una@example.com', reason: 'unsubscribed' },
      { address: 'stranger@example.com', reason: 'bounced' },
    ]);
    await suppress('MO@example.com').expect(201);
    expect(await statuses()).toEqual({
      bea: 'bounced',
      cy: 'complained',
      mo: 'unsubscribed',
      una: 'unsubscribed',
      free: 'active',
    });
    const facts = (name: string) => ({ contactId: ids[name], firstName: name, lastName: 'Doe' });
    const stranger = { contactId: null, firstName: null, lastName: null };
    expect((await events()).map(({ type, data }) => ({ type, data }))).toEqual([
      expect.objectContaining({ type: 'contact.bounced' }),
      expect.objectContaining({ type: 'contact.bounced' }),
      { type: 'contact.complained', data: expect.objectContaining(facts('Cy')) },
      { type: 'contact.suppressed', data: expect.objectContaining(facts('Mo')) },
      { type: 'contact.unsubscribed', data: expect.objectContaining(facts('Una')) },
    ]);
    const bounces = (await events()).slice(0, 2).map(({ data }) => data);
    expect(bounces).toEqual(
      expect.arrayContaining([expect.objectContaining(facts('Bea')), expect.objectContaining(stranger)]),
    );
    expect((await entries()).map(({ contact_id: id }) => id)).toEqual([ids.Bea, ids.Cy, ids.Mo, null, ids.Una]);
    await account.asMember('get', `/api/contacts/${before.id as string}`).expect(200, before);
    const { body: bea } = await account.asMember('get', `/api/contacts/${ids.Bea!}`).expect(200);
    expect(bea.status).toBe('bounced');
    expect(bea.updatedAt > bea.createdAt).toBe(true);
  });

  it('change with a cause of higher precedence, and report each cause once', async () => {
    await upsert({ email: 'ada@example.com' }).expect(201);
    await provider([{ address: 'ada@example.com', reason: 'bounced' }]);
    await provider([{ address: 'ada@example.com', reason: 'complained' }]);
    await provider([{ address: 'ada@example.com', reason: 'unsubscribed' }]);
    expect(await statuses()).toEqual({ ada: 'complained' });
    expect((await events()).map(({ type }) => type)).toEqual(['contact.bounced', 'contact.complained']);
  });

  it('make the contact active again when the suppression is deleted', async () => {
    await upsert({ email: 'ada@example.com' }).expect(201);
    const { body } = await suppress('ada@example.com').expect(201);
    expect(await statuses()).toEqual({ ada: 'unsubscribed' });
    await account.asAdmin('delete', `/api/suppressions/${body.id as string}`).expect(200);
    expect(await statuses()).toEqual({ ada: 'active' });
    await upsert({ email: 'ada@example.com', status: 'active' }).expect(200);
  });

  it('prevent a contact from being set active', async () => {
    const refusal = badRequest('status cannot be set to active: Ada@example.com is suppressed', 'suppressed');
    const { body } = await upsert({ email: 'Ada@example.com' }).expect(201);
    await provider([{ address: 'ada@example.com', reason: 'bounced' }]);
    await upsert({ email: 'Ada@example.com', status: 'active', firstName: 'Ada' }).expect(400, refusal);
    await account
      .asAdmin('patch', `/api/contacts/${body.id as string}`)
      .send({ status: 'active', firstName: 'Ada' })
      .expect(400, refusal);
    await upsert({ email: 'Ada@example.com', status: null, firstName: 'Ada' }).expect(400, refusal);
    await account
      .asAdmin('patch', `/api/contacts/${body.id as string}`)
      .send({ status: null, firstName: 'Ada' })
      .expect(400, refusal);
    const { body: kept } = await upsert({ email: 'Ada@example.com', status: 'unsubscribed' }).expect(200);
    expect(kept).toMatchObject({ status: 'bounced', firstName: null });
    await suppress('bob@example.com').expect(201);
    await upsert({ email: 'bob@example.com', status: 'active' }).expect(
      400,
      badRequest('status cannot be set to active: bob@example.com is suppressed', 'suppressed'),
    );
    expect(await statuses()).toEqual({ ada: 'bounced' });
  });

  it('treat null as active in every way of writing contacts', async () => {
    const { body: created } = await upsert({ email: 'ada@example.com', status: null }).expect(201);
    expect(created.status).toBe('active');
    await account
      .asAdmin('patch', `/api/contacts/${created.id as string}`)
      .send({ status: null })
      .expect(200, created);
    await suppress('cy@example.com').expect(201);
    const { body: report } = await upload(
      ['ada', 'bea', 'cy'].map((name) => ({ email: `${name}@example.com`, status: null })),
    ).expect(200);
    expect(report).toMatchObject({
      created: 1,
      updated: 0,
      skipped: 1,
      errors: [{ index: 2, email: 'cy@example.com' }],
    });
    expect(await statuses()).toEqual({ ada: 'active', bea: 'active' });
  });

  it('are added for a contact that is set to unsubscribed, with the way it was written as source', async () => {
    const { body: ada } = await upsert({ email: 'ada@example.com', firstName: 'Ada', status: 'unsubscribed' });
    expect(ada.status).toBe('unsubscribed');
    const { secret } = await account.createKey({ scopes: ['contacts:write'] });
    await upsert({ email: 'bob@example.com' }).expect(201);
    await service
      .request('post', '/api/contacts')
      .set('X-API-Key', secret)
      .send({ email: 'bob@example.com', status: 'unsubscribed' })
      .expect(200);
    await upload([{ email: 'eve@example.com', status: 'unsubscribed' }]).expect(200);
    await upload([{ email: 'eve@example.com', status: 'unsubscribed' }]).expect(200);
    expect(await entries()).toMatchObject([
      { address: 'ada@example.com', reason: 'unsubscribed', source: 'dashboard', contact_id: ada.id },
      { address: 'bob@example.com', reason: 'unsubscribed', source: 'api' },
      { address: 'eve@example.com', reason: 'unsubscribed', source: 'import' },
    ]);
    const emitted = (await events()).map(({ type, data }) => `${type} ${String(data.email)} ${String(data.source)}`);
    expect(emitted.sort()).toEqual([
      'contact.unsubscribed ada@example.com dashboard',
      'contact.unsubscribed bob@example.com api',
      'contact.unsubscribed eve@example.com import',
    ]);
  });

  it('agree after concurrent writes of every kind', async () => {
    const emails = Array.from({ length: 120 }, (_, i) => `p${i}@example.com`);
    await upload(emails.slice(0, 30).map((email) => ({ email }))).expect(200);
    await Promise.all([
      upload(emails.map((email) => ({ email, firstName: 'A' }))).expect(200),
      upload(emails.toReversed().map((email) => ({ email, firstName: 'B' }))).expect(200),
      provider(emails.filter((_, i) => i % 3 === 0).map((address) => ({ address, reason: 'bounced' }))),
      ...emails.filter((_, i) => i % 3 === 1).map((email) => suppress(email).expect(201)),
      ...emails.slice(0, 40).map((email) => upsert({ email, lastName: 'C' })),
    ]);
    const all = await statuses();
    emails.forEach((email, i) => {
      const expected = ['bounced', 'unsubscribed', 'active'][i % 3];
      expect([email, all[email.split('@')[0]!]]).toEqual([email, expected]);
    });
  });
});
