import type pg from 'pg';

import { newId } from '../../src/shared/ids.js';

const CHUNK = 50_000;

/** Seeds contacts of one account, and a list with a tenth of them. Returns the id of the list. */
export async function seedContacts(pool: pg.Pool, accountId: string, contacts: number): Promise<string> {
  const listId = newId(new Date());
  await pool.query(`INSERT INTO lists VALUES ($1, $2, 'Tenth', 'tenth', now(), now())`, [listId, accountId]);
  for (let from = 0; from < contacts; from += CHUNK)
    await pool.query(CONTACTS, [accountId, listId, from, from + CHUNK, contacts]);
  await pool.query('VACUUM ANALYZE');
  return listId;
}

/** $1: account, $2: list, $3 and $4: range of numbers, $5: total. Ids are in the order of the numbers. */
const CONTACTS = `
  INSERT INTO contacts (id, account_id, email, normalised_email, first_name, last_name, company, tags, status, list_ids,
    created_at, updated_at)
  SELECT 'cm' || lpad(n::text, 23, '0'), $1, email, email, 'First' || n % 500, 'Last' || n % 3001, 'Company ' || n % 977 || ' Ltd',
    array_remove(ARRAY[CASE WHEN n % 2 = 1 THEN 'half' END, CASE WHEN n % 10 = 3 THEN 'tenth' END, CASE WHEN n < $5::integer / 10 THEN 'oldest' END,
      CASE WHEN n % 1000 = 7 THEN 'rare' END, 'segment ' || n % 50], NULL),
    CASE WHEN n % 50 = 1 THEN 'unsubscribed' ELSE 'active' END, CASE WHEN n % 10 = 5 THEN ARRAY[$2] ELSE '{}' END, now(), now()
  FROM (SELECT n, md5(n::text) || '.person' || n || '@company' || n % 977 || '.example.org' AS email
    FROM generate_series($3::integer, $4::integer - 1) n) numbered`;
