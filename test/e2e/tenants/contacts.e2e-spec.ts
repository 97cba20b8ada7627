import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { AttributeKeys } from '../../../src/modules/contacts/application/ports/attribute-keys.js';
import { ContactAudience } from '../../../src/modules/contacts/application/ports/contact-audience.js';
import { ContactComparison } from '../../../src/modules/contacts/application/ports/contact-comparison.js';
import { ContactListRepository } from '../../../src/modules/contacts/application/ports/contact-list.repository.js';
import { ContactRepository } from '../../../src/modules/contacts/application/ports/contact.repository.js';
import { ContactList } from '../../../src/modules/contacts/domain/contact-list.js';
import { Contact } from '../../../src/modules/contacts/domain/contact.js';
import { ErasureRepository } from '../../../src/modules/erasure/application/ports/erasure.repository.js';
import { ClaimLostError, ImportClaims } from '../../../src/modules/imports/application/ports/import-claims.js';
import { ImportRepository } from '../../../src/modules/imports/application/ports/import.repository.js';
import type { ClaimedImport } from '../../../src/modules/imports/domain/contact-import.js';
import { RecipientContacts } from '../../../src/modules/messages/application/ports/recipient-contacts.js';
import { SuppressedContacts } from '../../../src/modules/suppression/application/ports/suppressed-contacts.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const PAGE = { page: 1, limit: 100 };
const EMAIL = 'ada@example.org';
const TAG = 'customer';

let accounts: TwoAccounts;
let contacts: ContactRepository;
let lists: ContactListRepository;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  contacts = accounts.get(ContactRepository);
  lists = accounts.get(ContactListRepository);
});
afterAll(() => accounts.stop());

async function addContact(accountId: string, row: { email?: string; tags?: string[]; listIds?: string[] } = {}) {
  const contact = Contact.create(accounts.newId(), accountId, { email: EMAIL, ...row }, 'active', accounts.now);
  await contacts.addAbsent(accountId, [contact]);
  return contact;
}

async function addList(accountId: string, name: string): Promise<ContactList> {
  const list = ContactList.create(accounts.newId(), accountId, name, accounts.now);
  await lists.add(list);
  return list;
}

/** No caller can bring this about; a statement must rely on the account alone. */
const addTagRow = (accountId: string, tag: string, contactId: string) =>
  accounts.service.query('INSERT INTO contact_tags (account_id, tag, contact_id) VALUES ($1, $2, $3)', [
    accountId,
    tag,
    contactId,
  ]);

describe('A contact of another account with the same address', () => {
  let mine: Contact;
  let theirs: Contact;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM contacts');
    mine = await addContact(accounts.own.id, { tags: [TAG] });
    theirs = await addContact(accounts.other.id, { tags: [TAG] });
  });

  const idsIn = async (filter: object) =>
    (await contacts.list(accounts.own.id, filter, PAGE)).items.map(({ id }) => id);

  it('is not found', () => accounts.expectClosed((accountId) => contacts.find(accountId, theirs.id), null));

  it('is not found for a message', () =>
    accounts.expectClosed((accountId) => accounts.get(RecipientContacts).find(accountId, theirs.id), null));

  it.each([undefined, 'lock'] as const)('is not found by the address, with lock: %s', async (lock) => {
    const found = await accounts.service.database.run(() => contacts.findByEmails(accounts.own.id, [EMAIL], lock));
    expect(found.map(({ id }) => id)).toEqual([mine.id]);
  });

  it.each([{}, { status: 'active' }, { tag: TAG }, { tag: TAG, status: 'active' }, { search: 'ada' }])(
    'is neither listed nor counted nor exported by %j',
    async (filter) => {
      const page = await contacts.list(accounts.own.id, filter as object, { page: 1, limit: 1 });
      expect([page.items.map(({ id }) => id), page.total]).toEqual([[mine.id], 1]);
      const exported = await contacts.listBefore(accounts.own.id, filter as object, null, 100);
      expect(exported.map(({ id }) => id)).toEqual([mine.id]);
    },
  );

  it('is not shown for a tag that names it', async () => {
    await addTagRow(accounts.own.id, 'forged', theirs.id);
    expect(await idsIn({ tag: 'forged' })).toEqual([]);
    expect(await contacts.listBefore(accounts.own.id, { tag: 'forged' }, null, 100)).toEqual([]);
    const { items } = await contacts.list(accounts.own.id, { tag: 'forged', search: 'ada' }, PAGE);
    expect(items).toEqual([]);
  });

  it('is not changed', () =>
    accounts.expectClosed((accountId) =>
      contacts.save(accountId, [Object.assign(new Contact(), theirs, { company: 'Changed' })]),
    ));

  it('is not compared with the own one', async () => {
    await contacts.save(accounts.other.id, [Object.assign(new Contact(), theirs, { company: 'Theirs' })]);
    const rows = new Map([[EMAIL, { email: EMAIL, company: null, tags: [TAG] }]]);
    const compare = (accountId: string) => accounts.get(ContactComparison).compare(accountId, rows);
    expect([await compare(accounts.own.id), await compare(accounts.other.id)]).toEqual([
      new Map(),
      new Map([[EMAIL, 'changed']]),
    ]);
  });

  it('shows no names of its attributes', async () => {
    await contacts.save(accounts.other.id, [Object.assign(new Contact(), theirs, { attributes: { secret: 1 } })]);
    const keys = accounts.get(AttributeKeys);
    expect([await keys.list(accounts.own.id, 10), await keys.list(accounts.other.id, 10)]).toEqual([[], ['secret']]);
  });

  it('is not what events say about an address', async () => {
    const suppressed = accounts.get(SuppressedContacts);
    const found = await suppressed.findAcrossAccounts([{ accountId: accounts.own.id, email: EMAIL }]);
    expect(found.map((contact) => contact?.contactId)).toEqual([mine.id]);
    await accounts.service.query('DELETE FROM contacts WHERE id = $1', [mine.id]);
    expect(await suppressed.findAcrossAccounts([{ accountId: accounts.own.id, email: EMAIL }])).toEqual([null]);
  });

  it('gets no status from a suppression', () =>
    accounts.expectClosed((accountId) =>
      accounts
        .get(SuppressedContacts)
        .updateStatuses([{ accountId, contactId: theirs.id, reason: 'manual' }], accounts.now),
    ));

  it('is not locked with the own one', async () => {
    await accounts.service.hold(async () => {
      const addresses = [{ accountId: accounts.own.id, email: EMAIL }];
      await accounts.get(SuppressedContacts).lock([accounts.own.id], addresses);
      const [locked] = await accounts.service.query<{ ids: string[] }>(
        `SELECT array_agg(id) AS ids FROM contacts WHERE id = ANY ($1) AND xmax::text::bigint = txid_current() % (2::bigint ^ 32)::bigint`,
        [[mine.id, theirs.id]],
      );
      expect(locked?.ids).toEqual([mine.id]);
    });
  });

  it('is not removed', () => accounts.expectClosed((accountId) => contacts.remove(accountId, theirs.id), null));
});

describe('A list of another account', () => {
  let list: ContactList;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM contacts');
    await accounts.service.query('DELETE FROM lists');
    list = await addList(accounts.other.id, 'Readers');
  });

  it('is neither locked nor found by its id', async () => {
    const lock = (accountId: string) => accounts.service.database.run(() => lists.findAndLock(accountId, list.id));
    await accounts.expectClosed(lock, null);
    await accounts.expectClosed((accountId) => lists.findIds(accountId, [list.id]), new Set());
  });

  it('is not changed', () =>
    accounts.expectClosed((accountId) =>
      lists.save(Object.assign(new ContactList(), list, { accountId, name: 'New', normalisedName: 'new' })),
    ));

  it('is not removed', () =>
    accounts.expectClosed((accountId) => accounts.service.database.run(() => lists.remove(accountId, list.id)), null));

  it('is no list of a contact that names it', async () => {
    const contact = await addContact(accounts.own.id, { listIds: [list.id] });
    expect((await contacts.find(accounts.own.id, contact.id))?.listIds).toEqual([]);
    const { items, total } = await contacts.list(accounts.own.id, { listId: list.id }, { page: 1, limit: 1 });
    expect([items, total]).toEqual([[], 0]);
  });
});

describe('The audience of an account', () => {
  let mine: Contact;
  let theirs: Contact;
  let list: ContactList;
  const NOBODY = { listIds: [], tags: [], excludeListIds: [], excludeTags: [] };

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM contacts');
    await accounts.service.query('DELETE FROM lists');
    list = await addList(accounts.own.id, 'Readers');
    mine = await addContact(accounts.own.id, { tags: [TAG], listIds: [list.id] });
    theirs = await addContact(accounts.other.id, { tags: [TAG, 'theirs'], listIds: [list.id] });
  });

  async function expectMembers(selection: object, members: string[]) {
    const audience = accounts.get(ContactAudience);
    const wanted = { ...NOBODY, ...selection };
    expect((await audience.listIds(accounts.own.id, wanted, 10)).flat()).toEqual(members);
    const rules = { requiresConsent: false, topic: null };
    expect((await audience.count(accounts.own.id, wanted, rules)).active).toBe(members.length);
    const fields = ['email', 'company', 'attributes.city'];
    const without = await audience.countWithout(accounts.own.id, wanted, fields, rules);
    expect([...without.values()]).toEqual([0, members.length, members.length]);
  }

  it('has no contact of another one on its lists', () => expectMembers({ listIds: [list.id] }, [mine.id]));

  it('has no contact of another one with its tags', async () => {
    await expectMembers({ tags: [TAG] }, [mine.id]);
    await addTagRow(accounts.own.id, 'forged', theirs.id);
    await expectMembers({ tags: ['forged'] }, []);
  });

  it('has no contact by a tag or a list of another one', async () => {
    await addTagRow(accounts.other.id, 'forged', mine.id);
    await expectMembers({ tags: ['forged'] }, []);
    const foreign = await addList(accounts.other.id, 'Theirs');
    await contacts.save(accounts.own.id, [Object.assign(mine, { listIds: [foreign.id, list.id].sort() })]);
    await expectMembers({ listIds: [foreign.id] }, []);
  });

  it('is not made smaller by a tag or a list of another one', async () => {
    await addTagRow(accounts.other.id, 'forged', mine.id);
    await expectMembers({ listIds: [list.id], excludeTags: ['forged'] }, [mine.id]);
    const foreign = await addList(accounts.other.id, 'Theirs');
    await contacts.save(accounts.own.id, [Object.assign(mine, { listIds: [foreign.id, list.id].sort() })]);
    await expectMembers({ listIds: [list.id], excludeListIds: [foreign.id] }, [mine.id]);
  });

  it('shows no contact of another one', () =>
    accounts.expectClosed(
      (accountId) => accounts.get(ContactAudience).findContacts(accountId, [theirs.id]),
      new Map(),
    ));
});

describe('An erasure of another account', () => {
  it('is neither found nor put off nor closed', async () => {
    const [erasures, contactId] = [accounts.get(ErasureRepository), accounts.newId()];
    await erasures.open(accounts.other.id, contactId, EMAIL, accounts.now);
    await accounts.expectClosed((accountId) => erasures.find(accountId, contactId), null);
    const later = new Date(accounts.now.getTime() + 1);
    await accounts.expectClosed((accountId) => erasures.setDue(accountId, contactId, later));
    await accounts.expectClosed((accountId) => erasures.close(accountId, contactId));
  });
});

describe('An import of another account', () => {
  let imports: ImportRepository;
  let claims: ImportClaims;
  let id: string;

  beforeEach(async () => {
    imports = accounts.get(ImportRepository);
    claims = accounts.get(ImportClaims);
    await accounts.service.query('DELETE FROM contact_imports');
    id = accounts.newId();
    await imports.open(accounts.other.id, id, accounts.now);
    await imports.append(accounts.other.id, id, 0, Buffer.from('email\n'), accounts.now);
  });

  const options = { mapping: { email: 0 } as never, listId: null, dryRun: false };
  async function claim(): Promise<ClaimedImport> {
    await imports.queue(accounts.other.id, id, options);
    return (await claims.claim(accounts.other.id, accounts.now))!.claimed;
  }

  it('is not found', () => accounts.expectClosed((accountId) => imports.find(accountId, id), null));

  it('does not count', async () => {
    for (let i = 0; i < 4; i++) await imports.open(accounts.other.id, accounts.newId(), accounts.now);
    await expect(imports.open(accounts.other.id, accounts.newId(), accounts.now)).rejects.toThrow('5 imports');
    await imports.open(accounts.own.id, accounts.newId(), accounts.now);
  });

  it('gets no chunk', () =>
    accounts.expectClosed((accountId) => imports.append(accountId, id, 1, Buffer.from('a\n'), accounts.now)));

  it('is not read', () =>
    accounts.expectClosed(async (accountId) => {
      const rows = [];
      for await (const row of imports.readRows(accountId, id)) rows.push(row);
      return rows;
    }, []));

  it('is not discarded', () => accounts.expectClosed((accountId) => imports.discard(accountId, id)));

  it('is not queued and not claimed', async () => {
    await accounts.expectClosed((accountId) => imports.queue(accountId, id, options));
    await accounts.expectClosed((accountId) => claims.claim(accountId, accounts.now), null);
  });

  it('keeps no import of another account waiting', async () => {
    await claim();
    const mine = accounts.newId();
    await imports.open(accounts.own.id, mine, accounts.now);
    await imports.queue(accounts.own.id, mine, options);
    expect(await claims.listWaitingAcrossAccounts()).toEqual([accounts.own.id]);
  });

  it('is not worked on with its claim', async () => {
    const claimed = await claim();
    await accounts.expectClosed((accountId) => claims.recordTotal({ ...claimed, accountId }, 7), ClaimLostError.name);
    await accounts.expectClosed((accountId) => claims.finish({ ...claimed, accountId }, null, accounts.now));
  });
});
