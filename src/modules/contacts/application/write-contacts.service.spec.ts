import { beforeEach, describe, expect, it } from '@jest/globals';

import type { RestoreConsents } from '../../consent/index.js';
import type { SuppressAddresses, SuppressionList } from '../../suppression/index.js';
import { Contact, type ContactRow, type ContactStatus } from '../domain/contact.js';
import { ApplyStatuses } from './apply-statuses.service.js';
import type { Difference } from './ports/contact-comparison.js';
import type { ContactRepository } from './ports/contact.repository.js';
import type { ContactLocks } from './ports/contact-locks.js';
import { WriteContacts } from './write-contacts.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const KEY = { type: 'key', id: 'k1' } as const;

const stored = (email: string, fields: Partial<ContactRow> = {}, status: ContactStatus = 'active'): Contact =>
  Contact.create(`stored ${email}`, 'a1', { email, ...fields }, status, NOW);

const copy = (contact: Contact): Contact => Object.assign(new Contact(), contact);

/** Contacts by address. `beforeAdd` and `beforeLock` act as other transactions do. */
class Contacts {
  readonly byEmail = new Map<string, Contact>();
  beforeAdd = (): void => undefined;
  beforeLock = (): void => undefined;
  locked: string[] = [];
  readonly lockedAtATime: number[] = [];

  async findByEmails(_: string, emails: readonly string[]): Promise<Contact[]> {
    this.beforeLock();
    this.locked.push(...emails);
    this.lockedAtATime.push(emails.length);
    return emails.flatMap((email) => this.byEmail.get(email) ?? []).map(copy);
  }

  async compare(_: string, rows: ReadonlyMap<string, ContactRow>): Promise<Map<string, Difference>> {
    const differences = new Map<string, Difference>();
    for (const [email, row] of rows) {
      const contact = this.byEmail.get(email);
      if (!contact) differences.set(email, 'missing');
      else if (copy(contact).change(row, NOW)) differences.set(email, 'changed');
    }
    return differences;
  }

  async addAbsent(_: string, contacts: readonly Contact[]): Promise<Set<string>> {
    this.beforeAdd();
    const added = contacts.filter(({ normalisedEmail }) => !this.byEmail.has(normalisedEmail));
    await this.save('a1', added);
    return new Set(added.map(({ id }) => id));
  }

  async save(_: string, contacts: readonly Contact[]): Promise<void> {
    for (const contact of contacts) this.byEmail.set(contact.normalisedEmail, copy(contact));
    return Promise.resolve();
  }

  async remove(_: string, id: string): Promise<Contact | null> {
    const contact = [...this.byEmail.values()].find((candidate) => candidate.id === id);
    if (contact) this.byEmail.delete(contact.normalisedEmail);
    return Promise.resolve(contact ?? null);
  }
}

describe('WriteContacts', () => {
  let contacts: Contacts;
  let reasons: Map<string, string>;
  let lockSuppressionsShared: () => void;
  let suppressed: object[];
  let withdrawn: object[];
  let suppressedAtATime: number[];
  let service: WriteContacts;

  beforeEach(() => {
    contacts = new Contacts();
    reasons = new Map();
    [suppressed, withdrawn] = [[], []];
    suppressedAtATime = [];
    lockSuppressionsShared = () => undefined;
    const locks = {
      lockListsShared: () => Promise.resolve(),
      lockSuppressionsShared: () => {
        lockSuppressionsShared();
        return Promise.resolve();
      },
    };
    const list = { findReasons: () => Promise.resolve(new Map(reasons)) };
    const suppressAddresses = {
      suppress: (addresses: { address: string; reason: string }[]) => {
        suppressed.push(...addresses);
        suppressedAtATime.push(addresses.length);
        for (const { address, reason } of addresses) reasons.set(address, reason);
        return Promise.resolve([]);
      },
      withdraw: (addresses: { address: string }[]) => Promise.resolve(void withdrawn.push(...addresses)),
    };
    service = new WriteContacts(
      locks as unknown as ContactLocks,
      contacts,
      contacts as unknown as ContactRepository,
      list as unknown as SuppressionList,
      new ApplyStatuses(
        locks as unknown as ContactLocks,
        contacts as unknown as ContactRepository,
        list as unknown as SuppressionList,
        suppressAddresses as unknown as SuppressAddresses,
        { restoreErased: () => Promise.resolve() } as unknown as RestoreConsents,
      ),
      { now: () => NOW, catchUp: () => Promise.resolve() },
    );
  });

  const write = async (...rows: ContactRow[]): Promise<Record<string, string>> => {
    const written = await service.write('a1', new Map(rows.map((row) => [row.email, row])), {
      source: 'api',
      actor: KEY,
    });
    return Object.fromEntries([...written].map(([email, { outcome }]) => [email, outcome]));
  };
  const statusOf = (email: string) => contacts.byEmail.get(email)?.status;

  it('creates, changes and leaves contacts, and locks only those that it changes', async () => {
    await contacts.save('a1', [stored('bob@x.example', { firstName: 'Bob' }), stored('cyd@x.example')]);
    const rows = [{ email: 'ada@x.example' }, { email: 'bob@x.example', firstName: 'Rob' }, { email: 'cyd@x.example' }];
    expect(await write(...rows)).toEqual({
      'ada@x.example': 'created',
      'bob@x.example': 'updated',
      'cyd@x.example': 'unchanged',
    });
    expect(contacts.locked).toEqual(['bob@x.example']);
  });

  it('changes a contact that another transaction adds meanwhile', async () => {
    contacts.beforeAdd = () => void contacts.byEmail.set('ada@x.example', stored('ada@x.example'));
    expect(await write({ email: 'ada@x.example', firstName: 'Ada' })).toEqual({ 'ada@x.example': 'updated' });
    expect(contacts.byEmail.get('ada@x.example')).toMatchObject({ id: 'stored ada@x.example', firstName: 'Ada' });
  });

  it('adds a contact that another transaction removes meanwhile', async () => {
    await contacts.save('a1', [stored('ada@x.example')]);
    contacts.beforeLock = () => {
      contacts.byEmail.clear();
    };
    expect(await write({ email: 'ada@x.example', firstName: 'Ada' })).toEqual({ 'ada@x.example': 'created' });
  });

  it('gives a new contact the status of its suppressed address, whatever the row says', async () => {
    reasons = new Map([['ada@x.example', 'bounced']]);
    await write({ email: 'ada@x.example', status: 'active' });
    expect(statusOf('ada@x.example')).toBe('bounced');
  });

  it('applies a suppression that is committed while the contact is being added', async () => {
    lockSuppressionsShared = () => void reasons.set('ada@x.example', 'complained');
    await write({ email: 'ada@x.example' });
    expect(statusOf('ada@x.example')).toBe('complained');
  });

  it('leaves out erased addresses, and those that are erased meanwhile', async () => {
    reasons = new Map([['ada@x.example', 'erased']]);
    lockSuppressionsShared = () => void reasons.set('bob@x.example', 'erased');
    expect(await write({ email: 'ada@x.example' }, { email: 'bob@x.example' })).toEqual({});
    expect(contacts.byEmail.size).toBe(0);
  });

  it('suppresses the address of a contact that is unsubscribed once, and withdraws its consent each time', async () => {
    await write({ email: 'ada@x.example', status: 'unsubscribed' });
    await write({ email: 'ada@x.example', status: 'unsubscribed' });
    const cause = { accountId: 'a1', channel: 'email', reason: 'unsubscribed', source: 'api', actor: KEY };
    expect(suppressed).toEqual([{ ...cause, address: 'ada@x.example' }]);
    expect(withdrawn).toEqual([{ ...cause, address: 'ada@x.example' }]);
    expect(statusOf('ada@x.example')).toBe('unsubscribed');
  });

  it('changes many contacts in portions, in one order', async () => {
    const emails = Array.from({ length: 600 }, (_, i) => `${i}@x.example`);
    await contacts.save(
      'a1',
      emails.map((email) => stored(email)),
    );
    const outcomes = await write(...emails.map((email) => ({ email, firstName: 'Ada' })));
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['updated']));
    expect(contacts.lockedAtATime).toEqual([250, 250, 100]);
    expect(contacts.locked).toEqual(emails.toSorted());
  });

  describe('a row whose attributes do not fit into those of the contact', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
    const row = { email: 'ada@x.example', status: 'unsubscribed', firstName: 'Eve', attributes: { more: 1 } } as const;
    const refused = { outcome: 'refused', contact: null, fault: 'attributes would have 51 keys, more than 50' };

    it('is refused, and changes and suppresses nothing', async () => {
      await contacts.save('a1', [stored('ada@x.example', { attributes: many })]);
      const rows = new Map([row, { email: 'bob@x.example', attributes: many }].map((one) => [one.email, one]));
      const written = await service.write('a1', rows, { source: 'api', actor: KEY });
      expect(written.get('ada@x.example')).toEqual(refused);
      expect(written.get('bob@x.example')).toMatchObject({ outcome: 'created' });
      expect(suppressed).toEqual([]);
      expect(contacts.byEmail.get('ada@x.example')).toMatchObject({ firstName: null, attributes: many });
    });

    it('is refused if the contact gets them meanwhile', async () => {
      await contacts.save('a1', [stored('ada@x.example')]);
      contacts.beforeLock = () =>
        void contacts.byEmail.set('ada@x.example', stored('ada@x.example', { attributes: many }));
      const written = await service.write('a1', new Map([[row.email, row]]), { source: 'api', actor: KEY });
      expect(written.get(row.email)).toEqual(refused);
    });
  });

  it('previews what it would write', async () => {
    reasons = new Map([['gone@x.example', 'erased']]);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
    await contacts.save('a1', [
      stored('bob@x.example'),
      stored('cyd@x.example'),
      stored('full@x.example', { attributes: many }),
    ]);
    const rows: ContactRow[] = [
      { email: 'new@x.example', attributes: { a: 1 } },
      { email: 'gone@x.example' },
      { email: 'bob@x.example', firstName: 'Bob' },
      { email: 'cyd@x.example' },
      { email: 'full@x.example', attributes: { more: 1 } },
    ];
    const previewed = await service.preview('a1', new Map(rows.map((row) => [row.email, row])));
    expect([...previewed].map(([email, { outcome }]) => [email, outcome])).toEqual([
      ['new@x.example', 'created'],
      ['bob@x.example', 'updated'],
      ['cyd@x.example', 'unchanged'],
      ['full@x.example', 'refused'],
    ]);
    expect(contacts.byEmail.size).toBe(3);
  });

  it('suppresses many addresses in portions', async () => {
    await write(
      ...Array.from({ length: 2_500 }, (_, i) => ({ email: `${i}@x.example`, status: 'unsubscribed' as const })),
    );
    expect(suppressedAtATime).toEqual([1_000, 1_000, 500]);
  });
});
