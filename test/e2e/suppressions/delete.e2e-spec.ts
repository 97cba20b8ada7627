import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('DELETE /api/suppressions/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const notFound = errorBody(404, 'Suppression not found');
  const suppress = async (email: string) =>
    (await account.asAdmin('post', '/api/suppressions').send({ email }).expect(201)).body;
  const remove = (id: string) => account.asAdmin('delete', `/api/suppressions/${id}`);

  it('deletes and returns an entry, and its address can be suppressed again', async () => {
    const entry = await suppress('ada@example.com');
    await remove(entry.id).expect(200, entry);
    await remove(entry.id).expect(404, notFound);
    expect((await suppress('ada@example.com')).id).not.toBe(entry.id);
  });

  it('deletes once for two concurrent requests', async () => {
    const { id } = await suppress('bob@example.com');
    const answers = await Promise.all([remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it.each(['reason=manual', 'source=dashboard', 'reason=manual&source=dashboard'])(
    'deletes an entry that has %s',
    async (query) => {
      const entry = await suppress('kim@example.com');
      await remove(`${entry.id as string}?${query}`).expect(200, entry);
    },
  );

  it('keeps an entry with another reason or source', async () => {
    const { id } = await suppress('lin@example.com');
    const message = 'The suppression has reason manual and source dashboard now, so it is kept';
    for (const query of ['reason=bounced', 'source=import', 'reason=manual&source=api'])
      await remove(`${id as string}?${query}`).expect(409, errorBody(409, message));
    await remove(`${id as string}?reason=manual`).expect(200);
    await remove(`${id as string}?reason=manual`).expect(404, notFound);
  });

  it('keeps an entry whose contact was erased from whoever knew it before: only deleting it as it is lifts it', async () => {
    const email = 'pat@example.com';
    const contact = { email, status: 'unsubscribed' };
    const { body } = await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    const [{ id }] = (await account.asMember('get', '/api/suppressions?search=pat').expect(200)).body.items;
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    const message = 'The contact of the suppression has been erased, so it is kept';
    for (const query of ['reason=unsubscribed&source=dashboard', 'reason=unsubscribed', 'source=dashboard'])
      await remove(`${id as string}?${query}`).expect(409, errorBody(409, message));
    await account
      .asAdmin('post', '/api/contacts')
      .send({ email })
      .expect(400, badRequest(`${email} is suppressed`));
    await remove(id).expect(200);
    await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
  });

  it.each([
    ['reason=none', 'reason must be one of unsubscribed, bounced, complained, manual, sms_opt_out'],
    ['source=me', 'source must be one of one_click, form, provider, api, dashboard, import, sms_sync'],
    ['note=x', 'note is not a known field'],
  ])('refuses ?%s', async (query, message) => {
    const { id } = await suppress(`${query.slice(0, 4)}@example.com`);
    await remove(`${id as string}?${query}`).expect(400, badRequest(message));
  });
});
