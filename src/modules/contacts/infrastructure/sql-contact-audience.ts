import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { attributeKey } from '../../../shared/attributes.js';
import { joinStanding } from '../../consent/index.js';
import { isOutOfTopic } from '../../topics/index.js';
import {
  type AudienceContact,
  type AudienceCount,
  type AudienceRules,
  type AudienceSelection,
  type ConsentCount,
  ContactAudience,
} from '../application/ports/contact-audience.js';

@Injectable()
export class SqlContactAudience extends ContactAudience {
  constructor(private readonly database: Database) {
    super();
  }

  async count(
    accountId: string,
    selection: AudienceSelection,
    { requiresConsent, topic }: AudienceRules,
  ): Promise<AudienceCount> {
    const values = valuesOf(accountId, selection);
    const [row] = topic
      ? await this.database.readFromPrimary<AudienceCount>(COUNT_WITH_TOPIC, [
          ...[...values, topic.id, topic.byDefault, requiresConsent],
        ])
      : await this.database.readFromPrimary<AudienceCount>(requiresConsent ? COUNT_WITH_CONSENT : COUNT, values);
    return row ?? NOBODY;
  }

  async countConsents(accountId: string, topic: AudienceRules['topic']): Promise<ConsentCount> {
    const [row] = topic
      ? await this.database.readFromPrimary<ConsentCount>(COUNT_TOPIC, [accountId, topic.id, topic.byDefault])
      : await this.database.readFromPrimary<ConsentCount>(COUNT_CONSENTS, [accountId]);
    return row ?? NOBODY;
  }

  async listIds(accountId: string, selection: AudienceSelection, size: number): Promise<string[][]> {
    const values = [...valuesOf(accountId, selection), size];
    const rows = await this.database.query<{ ids: string }>(LIST_IDS, values);
    return rows.map(({ ids }) => ids.split(' '));
  }

  async countWithout(
    accountId: string,
    selection: AudienceSelection,
    fields: readonly string[],
    rules: AudienceRules,
  ): Promise<Map<string, number>> {
    const values = valuesOf(accountId, selection);
    const recipients = selectRecipients(rules, values);
    const without = fields.map((field) => {
      const key = attributeKey(field);
      const value = key === null ? (COLUMNS.get(field) ?? 'NULL') : `c.attributes ->> $${values.push(key)}::text`;
      return `count(*) FILTER (WHERE coalesce(${value}, '') = '')`;
    });
    const [row] = await this.database.readFromPrimary<{ without: number[] }>(
      `SELECT json_build_array(${without.join(', ')}) AS without
       FROM (SELECT c.id ${recipients} AND c.status = 'active') m
       JOIN contacts c ON c.id = m.id AND c.account_id = $1`,
      values,
    );
    return new Map(fields.map((field, i) => [field, row?.without[i] ?? 0]));
  }

  async findContacts(
    accountId: string,
    ids: readonly string[],
    { withAttributes = false } = {},
  ): Promise<Map<string, AudienceContact>> {
    const rows = await this.database.query<AudienceContact>(FIND_CONTACTS, [accountId, ids, withAttributes]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

const NOBODY: AudienceCount = { active: 0, suppressed: 0, withoutConsent: 0, outOfTopic: 0 };

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
const members = ({ columns, join }: { columns: string; join: string }): string => `
  FROM (
    SELECT ${columns} FROM lists l JOIN list_members m ON m.list_id = l.id JOIN contacts c ON c.id = m.contact_id
    WHERE l.account_id = $1 AND l.id = ANY ($2) AND c.account_id = $1
    UNION SELECT ${columns} FROM contact_tags t JOIN contacts c ON c.id = t.contact_id
    WHERE t.account_id = $1 AND t.tag = ANY ($3) AND c.account_id = $1
  ) c${join}
  WHERE ${NOT_EXCLUDED}`;

const MEMBERS = members({ columns: 'c.id, c.status', join: '' });

const SUPPRESSED = `count(*) FILTER (WHERE c.status <> 'active')::integer AS suppressed`;

const COUNT = `
  SELECT count(*) FILTER (WHERE c.status = 'active')::integer AS active, ${SUPPRESSED}, 0 AS "withoutConsent", 0 AS "outOfTopic"
  ${MEMBERS}`;

const ASKED = { account: '$1', channel: "'email'", address: 'c.normalised_email', purpose: "'marketing'" };

const STANDING = joinStanding({ ...ASKED, topic: null });

/** Counts active contacts with and without consent, in one scan of the standing consents. */
const BY_CONSENT = `
  count(*) FILTER (WHERE c.status = 'active' AND standing.state = 'granted')::integer AS active,
  count(*) FILTER (WHERE c.status = 'active' AND standing.state IS DISTINCT FROM 'granted')::integer AS "withoutConsent"`;

const MEMBERS_BY_CONSENT = members({ columns: 'c.id, c.status, c.normalised_email', join: STANDING });

export const COUNT_WITH_CONSENT = `
  SELECT ${BY_CONSENT}, ${SUPPRESSED}, 0 AS "outOfTopic"
  ${MEMBERS_BY_CONSENT}`;

const MEMBERS_BY_TOPIC = members({
  columns: 'c.id, c.status, c.normalised_email',
  join: joinStanding({ ...ASKED, topic: '$6' }),
});

const LACKS_CONSENT = `standing.state IS DISTINCT FROM 'granted'`;
const IS_OUT = isOutOfTopic('standing.state', '$7');
const IS_LACKING = `($8 AND ${LACKS_CONSENT})`;

/** A contact that is out of the topic does not count as lacking the consent, too. */
const byTopic = (out: string, lacking: string): string => `
  count(*) FILTER (WHERE c.status = 'active' AND NOT ${out} AND NOT ${lacking})::integer AS active,
  count(*) FILTER (WHERE c.status = 'active' AND NOT ${out} AND ${lacking})::integer AS "withoutConsent",
  count(*) FILTER (WHERE c.status = 'active' AND ${out})::integer AS "outOfTopic"`;

/** $6 topic, $7 its default, $8 whether consent is required. */
export const COUNT_WITH_TOPIC = `
  SELECT ${byTopic(IS_OUT, IS_LACKING)}, ${SUPPRESSED}
  ${MEMBERS_BY_TOPIC}`;

/** SQL of the members whom neither their consents nor the topic leave out. Adds its parameters to `values`. */
function selectRecipients({ requiresConsent, topic }: AudienceRules, values: unknown[]): string {
  if (!topic) return requiresConsent ? `${MEMBERS_BY_CONSENT} AND standing.state = 'granted'` : MEMBERS;
  values.push(topic.id, topic.byDefault, requiresConsent);
  return `${MEMBERS_BY_TOPIC} AND NOT ${IS_OUT} AND NOT ${IS_LACKING}`;
}

export const COUNT_CONSENTS = `
  SELECT ${BY_CONSENT}, 0 AS "outOfTopic" FROM contacts c ${STANDING} WHERE c.account_id = $1`;

/** $1 account, $2 topic, $3 its default. */
export const COUNT_TOPIC = `
  SELECT ${byTopic(isOutOfTopic('standing.state', '$3'), `(${LACKS_CONSENT})`)}
  FROM contacts c ${joinStanding({ ...ASKED, topic: '$2' })} WHERE c.account_id = $1`;

/** $6 ids per row. One string for many ids costs much less than as many rows. */
const LIST_IDS = `
  SELECT string_agg(id, ' ' ORDER BY id) AS ids
  FROM (SELECT c.id, (row_number() OVER (ORDER BY c.id) - 1) / $6::integer AS portion ${MEMBERS}) numbered
  GROUP BY portion ORDER BY portion`;

/** A map, because a placeholder may be named like a property that every object has, such as `constructor`. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['email', 'c.email'],
  ['firstName', 'c.first_name'],
  ['lastName', 'c.last_name'],
  ['company', 'c.company'],
]);

const FIND_CONTACTS = `
  SELECT c.id, c.email, c.normalised_email AS "normalisedEmail", c.first_name AS "firstName", c.last_name AS "lastName",
    c.company, CASE WHEN $3 THEN c.attributes END AS attributes, c.status
  FROM contacts c WHERE c.account_id = $1 AND c.id = ANY ($2)`;
