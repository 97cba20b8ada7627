import type pg from 'pg';

import { newId } from '../../src/shared/ids.js';

const CHUNK = 50_000;

/** Seeds active contacts of one account, all with the tag `all`, the first of them on a list. Returns the list's id. */
export async function seedAudience(
  pool: pg.Pool,
  accountId: string,
  { contacts, listed }: { contacts: number; listed: number },
): Promise<string> {
  const listId = newId(new Date());
  await pool.query(`INSERT INTO lists VALUES ($1, $2, 'Readers', 'readers', now(), now())`, [listId, accountId]);
  for (let from = 0; from < contacts; from += CHUNK)
    await pool.query(CONTACTS, [accountId, listId, from, Math.min(from + CHUNK, contacts), listed]);
  // Only these: the plans for tables that were analysed while empty are slow once they have rows.
  await pool.query('VACUUM ANALYZE contacts, contact_tags, list_members');
  return listId;
}

/** $1: account, $2: list, $3 and $4: range of numbers, $5: how many are on the list. */
const CONTACTS = `
  INSERT INTO contacts (id, account_id, email, normalised_email, first_name, last_name, company, tags, status, list_ids,
    created_at, updated_at)
  SELECT 'cm' || lpad(n::text, 23, '0'), $1, email, email, 'First' || n % 500, 'Last' || n % 3001, 'Company ' || n % 977 || ' Ltd',
    '{all}', 'active', CASE WHEN n < $5::integer THEN ARRAY[$2] ELSE '{}' END, now(), now()
  FROM (SELECT n, md5(n::text) || '.person' || n || '@company' || n % 977 || '.example.org' AS email
    FROM generate_series($3::integer, $4::integer - 1) n) numbered`;
