import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ImportContacts } from '../../../src/modules/contacts/application/import-contacts.service.js';
import { ManageLists } from '../../../src/modules/contacts/application/manage-lists.service.js';
import { SuppressAddresses } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';

describe('Contacts that are written while', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const email = 'ada@example.com';
  const upsert = (body: object = { email }) => account.asAdmin('post', '/api/contacts').send(body);
  const upload = (contacts: object[]) => account.asAdmin('post', '/api/contacts/import').send({ contacts });
  const byHand = () => account.asAdmin('post', '/api/suppressions').send({ email });
  const suppress = () =>
    service.app
      .get(SuppressAddresses, { strict: false })
      .suppress([{ accountId: account.id, channel: 'email', address: email, reason: 'bounced', source: 'provider' }]);
  const write = (contact: object) =>
    service.app.get(ImportContacts, { strict: false }).import(account.id, [{ email, ...contact }]);
  const contacts = () =>
    service.query<{ status: string; list_ids: string[] }>(
      'SELECT status, list_ids FROM contacts WHERE account_id = $1',
      [account.id],
    );

  it('their address is being suppressed get the status that follows', async () => {
    await raceBehind(service, suppress, [() => upsert().expect(201)]);
    expect(await contacts()).toMatchObject([{ status: 'bounced' }]);
  });

  it('their address is being suppressed get the status that follows, in an import', async () => {
    await raceBehind(service, suppress, [() => upload([{ email, status: 'active' }]).expect(200)]);
    expect(await contacts()).toMatchObject([{ status: 'bounced' }]);
  });

  it('and before their address is suppressed get the status that follows', async () => {
    await raceBehind(service, () => write({ firstName: 'Ada' }), [() => byHand().expect(201)]);
    expect(await contacts()).toMatchObject([{ status: 'unsubscribed' }]);
    const [event] = await service.query<{ data: object }>('SELECT data FROM outbox_events WHERE account_id = $1', [
      account.id,
    ]);
    expect(event?.data).toMatchObject({ email, firstName: 'Ada' });
  });

  it('their suppression is being deleted are active afterwards', async () => {
    const [entry] = await suppress();
    const lift = () => account.asAdmin('delete', `/api/suppressions/${entry!.id}`);
    await raceBehind(service, () => write({}), [() => lift().expect(200)]);
    expect(await contacts()).toMatchObject([{ status: 'active' }]);
  });

  it('their list is being deleted are refused or not in the list', async () => {
    const { body: list } = await account.asAdmin('post', '/api/lists').send({ name: 'News' }).expect(201);
    const remove = () => service.app.get(ManageLists, { strict: false }).remove(account.id, list.id as string);
    await raceBehind(service, remove, [() => upsert({ email, listIds: [list.id] }).expect(400)]);
    expect(await contacts()).toEqual([]);
  });

  it('other contacts of the account are being written do not wait for them', async () => {
    await service.hold(async () => {
      await write({});
      await new Promise((resolve, reject) => {
        upload([{ email: 'bob@example.com' }]).then(resolve, reject);
      });
    });
    expect(await contacts()).toHaveLength(2);
  });
});
