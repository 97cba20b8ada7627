import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import {
  type AudienceContact,
  type AudienceSelection,
  ContactAudience,
} from '../application/ports/contact-audience.js';

@Injectable()
export class SqlContactAudience extends ContactAudience {
  constructor(private readonly database: Database) {
    super();
  }

  async count(accountId: string, selection: AudienceSelection): Promise<{ active: number; suppressed: number }> {
    const [row] = await this.database.readFromPrimary<{ active: number; suppressed: number }>(
      COUNT,
      valuesOf(accountId, selection),
    );
    return row ?? { active: 0, suppressed: 0 };
  }

  async listIds(accountId: string, selection: AudienceSelection, size: number): Promise<string[][]> {
    const values = [...valuesOf(accountId, selection), size];
    const rows = await this.database.query<{ ids: string }>(LIST_IDS, values);
    return rows.map(({ ids }) => ids.split(' '));
  }

  async findContacts(accountId: string, ids: readonly string[]): Promise<Map<string, AudienceContact>> {
    const rows = await this.database.query<AudienceContact>(FIND_CONTACTS, [accountId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async findUnknownTags(accountId: string, tags: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ tag: string }>(FIND_UNKNOWN_TAGS, [accountId, tags]);
    return new Set(rows.map(({ tag }) => tag));
  }
}

const valuesOf = (accountId: string, { listIds, tags, excludeListIds, excludeTags }: AudienceSelection): unknown[] => [
  accountId,
  listIds,
  tags,
  excludeListIds,
  excludeTags,
];

/** $1 account, $4 excluded lists, $5 excluded tags: `c` has none of them. A removed list excludes nobody. */
const NOT_EXCLUDED = `
  NOT EXISTS (SELECT FROM list_members x JOIN lists l ON l.id = x.list_id AND l.account_id = $1
    WHERE x.list_id = ANY ($4) AND x.contact_id = c.id)
  AND NOT EXISTS (SELECT FROM contact_tags x WHERE x.account_id = $1 AND x.tag = ANY ($5) AND x.contact_id = c.id)`;

/**
 * $1 account, $2 lists, $3 tags, and those of NOT_EXCLUDED: the contacts `c`. They are joined within the union, because
 * the planner has no estimate for the number of contacts that come out of it.
 */
const MEMBERS = `
  FROM (
    SELECT c.id, c.status FROM lists l JOIN list_members m ON m.list_id = l.id JOIN contacts c ON c.id = m.contact_id
    WHERE l.account_id = $1 AND l.id = ANY ($2) AND c.account_id = $1
    UNION SELECT c.id, c.status FROM contact_tags t JOIN contacts c ON c.id = t.contact_id
    WHERE t.account_id = $1 AND t.tag = ANY ($3) AND c.account_id = $1
  ) c
  WHERE ${NOT_EXCLUDED}`;

const COUNT = `
  SELECT count(*) FILTER (WHERE c.status = 'active')::integer AS active,
    count(*) FILTER (WHERE c.status <> 'active')::integer AS suppressed
  ${MEMBERS}`;

/** $6 ids per row. One string for many ids costs much less than as many rows. */
const LIST_IDS = `
  SELECT string_agg(id, ' ' ORDER BY id) AS ids
  FROM (SELECT c.id, (row_number() OVER (ORDER BY c.id) - 1) / $6::integer AS portion ${MEMBERS}) numbered
  GROUP BY portion ORDER BY portion`;

const FIND_CONTACTS = `
  SELECT c.id, c.email, c.normalised_email AS "normalisedEmail", c.first_name AS "firstName", c.last_name AS "lastName", c.company, c.status
  FROM contacts c WHERE c.account_id = $1 AND c.id = ANY ($2)`;

const FIND_UNKNOWN_TAGS = `
  SELECT wanted.tag FROM unnest($2::text[]) AS wanted (tag)
  WHERE NOT EXISTS (SELECT FROM contact_tags t WHERE t.account_id = $1 AND t.tag = wanted.tag COLLATE "C")`;
