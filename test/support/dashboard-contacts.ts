import type { TestAccount } from './account.js';
import { upload } from './csv-imports.js';
import { waitFor } from './wait-for.js';

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Lin Chen', 'Sam Okafor', 'Maria da Silva', 'Jean-Luc Étienne'];
const COMPANIES = ['Analytical Engines Ltd', null, 'Northwind Traders', null];

const CSV = `email,first
${Array.from({ length: 240 }, (_, i) => `guest${i}@example.com,Guest\n`).join('')}not an address,Kim
nobody@,Noor
`;

/** Adds contacts in lists and a dry run of an import. Returns ids: of the lists, of one contact and of the import. */
export async function fillContacts(
  account: TestAccount,
): Promise<{ listIds: string[]; contactId: string; importId: string }> {
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
  const { id: contactId } = await post('/api/contacts', { ...first, status: undefined });
  const { body } = await upload(account, CSV, { mapping: { email: 'email', firstName: 'first' }, dryRun: 'true' });
  await waitFor('the import to be over', async () => {
    const { state } = (await account.asAdmin('get', `/api/imports/${body.id}`).expect(200)).body;
    return state === 'done';
  });
  return { listIds: lists, contactId, importId: body.id };
}
