import { Parameters } from '../../../platform/database/parameters.js';
import type { PageRequest } from '../../../shared/page.js';
import { standingState } from '../../consent/index.js';
import { isOutOfTopic } from '../../topics/index.js';
import type { ContactFilter } from '../application/ports/contact.repository.js';
import { containsSearch } from './contact-search.js';

/** The lists of the contact `c` that still exist. */
const LIST_IDS = `CASE WHEN c.list_ids = '{}' THEN c.list_ids ELSE ARRAY(
    SELECT l.id FROM lists l WHERE l.account_id = c.account_id AND l.id = ANY (c.list_ids) ORDER BY l.id) END`;

/** A Contact from the row `c`. Its sets are JSON, because pg parses each character of an array on its own. */
const COLUMNS = `c.id, c.account_id AS "accountId", c.email, c.normalised_email AS "normalisedEmail",
  c.first_name AS "firstName", c.last_name AS "lastName", c.company, c.attributes, to_json(c.tags) AS tags, c.status,
  to_json(${LIST_IDS}) AS "listIds",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** $2: contacts as a JSON array. */
const ROWS = `json_to_recordset($2::json) AS r (id text, email text, "normalisedEmail" text, "firstName" text, "lastName" text,
  company text, attributes jsonb, tags text[], status text, "listIds" text[], "createdAt" timestamptz, "updatedAt" timestamptz)`;

export const FIND = `SELECT ${COLUMNS} FROM contacts c WHERE c.account_id = $1 AND c.id = $2`;

/**
 * $2: the addresses. They are looked up one by one, because without statistics a join would read all contacts of the
 * account, and in the order of insertions, so that two calls with the same addresses lock them in the same order.
 */
const findByEmails = (lock: string) => `
  SELECT found.* FROM (SELECT DISTINCT email COLLATE "C" AS email FROM unnest($2::text[]) AS email ORDER BY email) wanted
  CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM contacts c WHERE c.account_id = $1 AND c.normalised_email = wanted.email ${lock}
  ) found`;

export const FIND_BY_EMAILS = findByEmails('OFFSET 0');
export const LOCK_BY_EMAILS = findByEmails('FOR NO KEY UPDATE OF c');

/**
 * `Contact.change` in SQL: selects the rows that have no contact or would change it. $2: the rows as a JSON array, with
 * empty text for null and without the fields that are kept. Contacts are looked up one by one, as in `findByEmails`.
 * Their attributes are read only for rows that have some.
 */
export const COMPARE = `
  SELECT r."normalisedEmail", c.id IS NOT NULL AS "exists"
  FROM json_to_recordset($2::json) AS r ("normalisedEmail" text, email text, "firstName" text, "lastName" text, company text,
    attributes jsonb, "removedAttributes" text[], "clearsAttributes" boolean, tags text[], status text, "listIds" text[],
    "addToList" text)
  LEFT JOIN LATERAL (
    SELECT * FROM contacts c WHERE c.account_id = $1 AND c.normalised_email = r."normalisedEmail" OFFSET 0
  ) c ON true
  WHERE c.id IS NULL OR c.email <> r.email OR coalesce(c.first_name, '') <> r."firstName"
    OR coalesce(c.last_name, '') <> r."lastName" OR coalesce(c.company, '') <> r.company OR c.tags <> r.tags
    OR (r.attributes IS NOT NULL AND NOT coalesce(c.attributes, '{}') @> r.attributes)
    OR (r."removedAttributes" IS NOT NULL AND c.attributes ?| r."removedAttributes")
    OR (r."clearsAttributes" AND c.attributes IS NOT NULL)
    OR (c.status = 'active' AND r.status <> 'active') OR (r."listIds" IS NOT NULL AND ${LIST_IDS} <> r."listIds")
    OR (r."addToList" IS NOT NULL AND r."addToList" <> ALL (c.list_ids))`;

export const ADD_ABSENT = `
  INSERT INTO contacts (id, account_id, email, normalised_email, first_name, last_name, company, attributes, tags, status,
    list_ids, created_at, updated_at)
  SELECT id, $1, email, "normalisedEmail", "firstName", "lastName", company, attributes, tags, status, "listIds",
    "createdAt", "updatedAt"
  FROM ${ROWS}
  ORDER BY "normalisedEmail" COLLATE "C"
  ON CONFLICT (account_id, normalised_email) DO NOTHING
  RETURNING id`;

export const SAVE = `
  UPDATE contacts c SET email = r.email, first_name = r."firstName", last_name = r."lastName", company = r.company,
    attributes = r.attributes, tags = r.tags, status = r.status, list_ids = r."listIds", updated_at = r."updatedAt"
  FROM ${ROWS}
  WHERE c.account_id = $1 AND c.id = r.id`;

export const REMOVE = `DELETE FROM contacts c WHERE c.account_id = $1 AND c.id = $2 RETURNING ${COLUMNS}`;

/**
 * Selects the matching ids as `id`, unordered. Tags and lists have tables of their own with the contacts in the order
 * of the page; `contacts` is read only if the filter needs it.
 */
function matching(
  parameters: Parameters,
  { search, status, tag, listId, topic }: ContactFilter,
  frequentWords: ReadonlySet<string> = new Set(),
): string {
  const sources: { table: string; id: string; where: string[] }[] = [];
  if (tag !== undefined) {
    const where = [`t.account_id = $1 AND t.tag = ${parameters.add(tag)}`];
    sources.push({ table: 'contact_tags t', id: 't.contact_id', where });
  }
  if (listId !== undefined) {
    const list = parameters.add(listId);
    const isOwned = `EXISTS (SELECT FROM lists l WHERE l.account_id = $1 AND l.id = ${list})`;
    sources.push({ table: 'list_members m', id: 'm.contact_id', where: [`m.list_id = ${list}`, isOwned] });
  }
  if (sources.length === 0 || status !== undefined || search !== undefined || topic !== undefined) {
    const where = ['c.account_id = $1'];
    if (status !== undefined) where.push(`c.status = ${parameters.add(status)}`);
    if (search !== undefined) where.push(containsSearch(parameters, search, frequentWords));
    if (topic !== undefined) where.push(`NOT ${isOut(parameters, topic)}`);
    sources.push({ table: 'contacts c', id: 'c.id', where });
  }
  const [first, ...others] = sources.map(({ id }) => id);
  const conditions = [...sources.flatMap(({ where }) => where), ...others.map((id) => `${id} = ${first}`)];
  return `SELECT ${first} AS id FROM ${sources.map(({ table }) => table).join(', ')} WHERE ${conditions.join(' AND ')}`;
}

/** Whether the contact `c` is out of the topic. One look-up by key for each. */
function isOut(parameters: Parameters, { id, byDefault }: NonNullable<ContactFilter['topic']>): string {
  const about = { account: '$1', channel: "'email'", address: 'c.normalised_email', purpose: "'marketing'" };
  return isOutOfTopic(standingState({ ...about, topic: parameters.add(id) }), parameters.add(byDefault));
}

interface Statement {
  text: string;
  values: unknown[];
}

/** The rows of a page, newest first. Rows of earlier pages are skipped by id, without reading them. */
export function listContacts(accountId: string, filter: ContactFilter, { page, limit }: PageRequest): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    SELECT ${COLUMNS}
    FROM (${matching(parameters, filter)} ORDER BY id DESC LIMIT ${parameters.add(limit)} OFFSET ${parameters.add((page - 1) * limit)}) p
    JOIN contacts c ON c.id = p.id AND c.account_id = $1
    ORDER BY c.id DESC`;
  return { text, values: parameters.values };
}

/**
 * The rows of a page, newest first, each with the `total` of matching contacts up to `countUpTo`, from one reading of
 * the matches. The rows are those of the page only if the total is below that. Without rows, one with a null id.
 */
export function searchContacts(
  accountId: string,
  filter: ContactFilter,
  { page, limit }: PageRequest,
  countUpTo: number,
  frequentWords: ReadonlySet<string>,
): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    WITH found AS MATERIALIZED (${matching(parameters, filter, frequentWords)} LIMIT ${parameters.add(countUpTo)})
    SELECT counted.total, shown.*
    FROM (SELECT count(*)::integer AS total FROM found) counted
    LEFT JOIN (
      SELECT ${COLUMNS}
      FROM (SELECT id FROM found ORDER BY id DESC LIMIT ${parameters.add(limit)} OFFSET ${parameters.add((page - 1) * limit)}) p
      JOIN contacts c ON c.id = p.id AND c.account_id = $1
    ) shown ON true
    ORDER BY shown.id DESC`;
  return { text, values: parameters.values };
}

/** The next rows of an export, newest first. */
export function listContactsBefore(
  accountId: string,
  filter: ContactFilter,
  id: string | null,
  limit: number,
): Statement {
  const parameters = new Parameters(accountId);
  const before = id === null ? 'true' : `id < ${parameters.add(id)}`;
  const text = `
    SELECT ${COLUMNS}
    FROM (SELECT id FROM (${matching(parameters, filter)}) m WHERE ${before} ORDER BY id DESC LIMIT ${parameters.add(limit)}) p
    JOIN contacts c ON c.id = p.id AND c.account_id = $1
    ORDER BY c.id DESC`;
  return { text, values: parameters.values };
}

/** Counts the matching contacts up to `limit`. */
export function countContacts(accountId: string, filter: ContactFilter, limit: number | null): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    SELECT count(*)::integer AS total FROM (${matching(parameters, filter)} LIMIT ${parameters.add(limit)}) found`;
  return { text, values: parameters.values };
}

/** Estimates by the planner how many contacts match. */
export function estimateContacts(accountId: string, filter: ContactFilter): Statement {
  const parameters = new Parameters(accountId);
  const text = `EXPLAIN (FORMAT JSON) ${matching(parameters, filter)}`;
  return { text, values: parameters.values };
}
