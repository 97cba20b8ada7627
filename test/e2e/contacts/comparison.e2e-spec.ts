import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ContactComparison } from '../../../src/modules/contacts/application/ports/contact-comparison.js';
import { ContactRepository } from '../../../src/modules/contacts/application/ports/contact.repository.js';
import { Contact, type ContactRow, type ContactStatus } from '../../../src/modules/contacts/domain/contact.js';
import type { AttributeChanges } from '../../../src/shared/attributes.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

describe('The comparison of contacts with rows in SQL', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const createList = async (name: string): Promise<string> =>
    (await account.asAdmin('post', '/api/lists').send({ name }).expect(201)).body.id as string;

  const compare = (rows: ReadonlyMap<string, ContactRow>) =>
    service.app.get(ContactComparison, { strict: false }).compare(account.id, rows);

  it('agrees with the rule for each pair of a contact and a row', async () => {
    const [news, shop, removed] = [await createList('News'), await createList('Shop'), await createList('Removed')];
    const contacts: [Partial<ContactRow>, ContactStatus][] = [
      [{}, 'active'],
      [{ firstName: 'Ada', lastName: 'King', company: 'Engines', tags: ['b', 'a'], listIds: [news, shop] }, 'active'],
      [{ tags: ['a b'], listIds: [removed] }, 'bounced'],
      [{ tags: ['a', 'b'], listIds: [news, removed] }, 'unsubscribed'],
      [{ attributes: { city: 'Bern', visits: 3, vip: false, zip: '3000' } }, 'active'],
    ];
    const texts = [null, '', ' ', 'Ada', ' Ada ', 'ada', 'Ada\\"{}'];
    const changes: (AttributeChanges | null)[] = [
      ...[null, {}, { city: 'Bern' }, { city: 'Bern', visits: 3, vip: false, zip: '3000' }],
      ...[{ zip: 3000 }, { visits: '3' }, { vip: true }, { city: '' }, { city: 'bern' }, { other: 1 }],
      ...[{ city: null }, { other: null }, { other: null, city: 'Bern' }],
    ];
    const rows: Partial<ContactRow>[] = [
      {},
      ...texts.flatMap((text) => [{ firstName: text }, { lastName: text }, { company: text }]),
      ...[null, [], ['a'], ['b', 'a', 'b'], ['a b'], ['\\', '"', '{}', ',']].map((tags) => ({ tags })),
      ...[null, 'active' as const, 'unsubscribed' as const].map((status) => ({ status })),
      ...[null, [], [news], [shop, news]].flatMap((listIds) => [{ listIds }, { listIds, addToList: news }]),
      ...[news, shop].map((addToList) => ({ addToList })),
      ...changes.map((attributes) => ({ attributes })),
      { attributes: { constructor: 'a\\"{}' } },
      { firstName: 'Ada', lastName: 'King', company: 'Engines', tags: ['a', 'b'], listIds: [shop, news] },
    ];
    const pairs = contacts.flatMap(([fields, status], i) =>
      rows.flatMap((row, j) =>
        [`P${i}-${j}@example.com`, `p${i}-${j}@example.com`].map((spelling) => ({ fields, status, row, spelling })),
      ),
    );
    const repository = service.app.get(ContactRepository, { strict: false });
    const now = service.clock.now();
    const stored = pairs.map(({ fields, status, spelling }, n) =>
      Contact.create(newId(now), account.id, { ...fields, email: `${n}.${spelling}` }, status, now),
    );
    await repository.addAbsent(account.id, stored);
    await account.asAdmin('delete', `/api/lists/${removed}`).expect(200);

    const given = new Map(
      pairs.map(({ row, spelling }, n) => [
        `${n}.${spelling.toLowerCase()}`,
        { ...row, email: `${n}.p${spelling.slice(1)}` },
      ]),
    );
    const differences = await compare(given);
    const found = await repository.findByEmails(account.id, [...given.keys()]);
    expect(found).toHaveLength(pairs.length);
    for (const contact of found) {
      const row = given.get(contact.normalisedEmail)!;
      const difference = differences.get(contact.normalisedEmail);
      const before = { ...contact };
      const expected = contact.change(row, now) ? 'changed' : undefined;
      expect({ before, row, difference }).toEqual({ before, row, difference: expected });
    }
  });
});
