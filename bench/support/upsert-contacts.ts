import { newId } from '../../src/shared/ids.js';

export interface Person {
  email: string;
  firstName: string;
  lastName: string;
  company: string;
  tags: string[];
}

/** An upsert without the rules of the service, into a table with the columns and indexes of `contacts`. */
export const upsertInto = (table: string): string => `
  INSERT INTO ${table} AS c (id, account_id, email, normalised_email, first_name, last_name, company, tags,
    status, list_ids, created_at, updated_at)
  SELECT id, $1, email, lower(email), first_name, last_name, company, tags::text[], 'active', '{}', now(), now()
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS r (id, email, first_name, last_name, company, tags)
  ON CONFLICT (account_id, normalised_email) DO UPDATE SET email = excluded.email, first_name = excluded.first_name,
    last_name = excluded.last_name, company = excluded.company, tags = excluded.tags, updated_at = excluded.updated_at
  WHERE (c.email, c.first_name, c.last_name, c.company, c.tags) IS DISTINCT FROM
    (excluded.email, excluded.first_name, excluded.last_name, excluded.company, excluded.tags)
  RETURNING id`;

export function upsertValues(accountId: string, batch: readonly Person[]): unknown[] {
  const column = (name: keyof Person) => batch.map((person) => person[name]);
  return [
    accountId,
    batch.map(() => newId(new Date())),
    ...[column('email'), column('firstName'), column('lastName'), column('company')],
    batch.map(({ tags }) => `{${tags.map((tag) => `"${tag}"`).join(',')}}`),
  ];
}
