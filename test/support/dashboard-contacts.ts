import type { TestAccount } from './account.js';

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Lin Chen', 'Sam Okafor', 'Maria da Silva', 'Jean-Luc Étienne'];
const COMPANIES = ['Analytical Engines Ltd', null, 'Northwind Traders', null];

/** Some people in lists; the id of one. */
export async function fillContacts(account: TestAccount): Promise<string> {
  const post = async (path: string, body: object) =>
    (await account.asAdmin('post', path).send(body)).body as { id: string };
  const lists: string[] = [];
  for (const name of ['Newsletter', 'Product updates', 'Beta testers'])
    lists.push((await post('/api/lists', { name })).id);
  const contacts = Array.from({ length: 60 }, (_, i) => {
    const [firstName, ...rest] = NAMES[i % NAMES.length]!.split(' ');
    return {
      email: `${firstName!.toLowerCase()}${i + 1}@example.org`,
      firstName,
      lastName: rest.join(' '),
      company: COMPANIES[i % COMPANIES.length],
      tags: i % 3 === 0 ? ['customer', 'newsletter-2026', 'vip', 'zurich'] : i % 3 === 1 ? ['trial'] : [],
      listIds: lists.slice(0, i % 4),
      ...(i % 11 === 0 ? { status: 'unsubscribed' } : {}),
    };
  });
  await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
  const [first] = contacts;
  return (await post('/api/contacts', { email: 'ada@example.org', ...first, status: undefined })).id;
}
