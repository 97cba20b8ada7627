import { domainToUnicode } from 'node:url';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { containing } from '../../../platform/database/parameters.js';
import { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASED_RECIPIENT } from '../domain/message-log.js';
import { nearGroup } from './groups/group-storage.js';

/** Erases the recipient from messages, contents and timelines, and cancels messages that are still queued. */
@Injectable()
export class MessageErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erase(accountId: string, email: string): Promise<number> {
    const found = await this.findMessages(accountId, email);
    const deliveries = await this.database.query<{ id: string; isLeased: boolean }>(LOCK_DELIVERIES, [
      accountId,
      found,
    ]);
    const beingSent = new Set(deliveries.filter(({ isLeased }) => isLeased).map(({ id }) => id));
    const ids = found.filter((id) => !beingSent.has(id));
    if (ids.length > 0) {
      await this.database.query(LOCK_MESSAGES, [accountId, ids]);
      await this.database.query(HIDE_IN_COPIES, [accountId, ids, email]);
      for (const statement of ERASE) await this.database.query(statement, [accountId, ids]);
      await this.database.query(ERASE_TEXTS, [accountId, ids, isSearchable(email) ? containing(email) : '%']);
    }
    await this.database.query(ERASE_BATCH_RESULTS, [accountId, patternOf(email)]);
    return beingSent.size;
  }

  private async findMessages(accountId: string, email: string): Promise<string[]> {
    const rows = isSearchable(email)
      ? await this.database.query<{ id: string }>(FIND_BY_SEARCH, [accountId, email, containing(email)])
      : await this.database.query<{ id: string }>(FIND_BY_RECIPIENT, [accountId, email]);
    return rows.map(({ id }) => id);
  }
}

/** Whether the spellings of the address differ in case only, so that each searched text has it. */
const isSearchable = (email: string): boolean => /^[\x21-\x7e]+$/.test(email) && !email.includes('xn--');

/**
 * $1 account, $2 address, $3 pattern. Uses the search index, and also finds messages that were indexed while they were
 * being erased.
 */
const FIND_BY_SEARCH = `
  SELECT m.id FROM message_logs m
  WHERE m.account_id = $1 AND m.normalised_recipient IN ($2, '${ERASED_RECIPIENT}')
    AND m.id = ANY (ARRAY(SELECT s.message_id FROM message_searches s WHERE s.account_id = $1 AND s.text LIKE $3))`;

/** Reads all messages of the account, for an address whose spellings the search index does not cover. */
const FIND_BY_RECIPIENT = `
  SELECT m.id FROM message_logs m WHERE m.account_id = $1 AND m.normalised_recipient = $2`;

/** $1 account, $2 pattern. What the responses to batches said: the recipients of copies, and refusals. */
const ERASE_BATCH_RESULTS = `
  UPDATE idempotency_keys SET results = regexp_replace(results::text, $2, '${ERASED_RECIPIENT}', 'gi')::jsonb
  WHERE account_id = $1 AND results IS NOT NULL AND results::text ~* $2`;

/** Matches the spellings of an address as a whole word of JSON text. */
function patternOf(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const spellings = [email, `${email.slice(0, at)}${domainToUnicode(email.slice(at))}`];
  const escaped = spellings.map((text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `(?<=["\\s])(?:${[...new Set(escaped)].join('|')})(?=["\\s])`;
}

/** Nobody can claim, record or cancel these deliveries until the transaction ends. */
const LOCK_DELIVERIES = `
  SELECT p.message_id AS id, p.lease_ends_at IS NOT NULL AS "isLeased" FROM pending_deliveries p
  WHERE p.account_id = $1 AND p.message_id = ANY ($2) ORDER BY p.message_id FOR UPDATE`;

/**
 * $1 account, $2 message ids. Locks in the same order as all other transactions. The other messages of their groups are
 * locked too: of two erasures in one group, the second must see that the first has deleted its contents.
 */
const LOCK_MESSAGES = `
  SELECT m.id FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY (ARRAY(
    SELECT unnest($2::text[])
    UNION
    SELECT g.id FROM message_logs e JOIN message_logs g
      ON ${nearGroup('g.id', 'e.group_id')} AND g.group_id = e.group_id
    WHERE e.account_id = $1 AND e.id = ANY ($2)))
  ORDER BY m.id FOR UPDATE`;

const visibleWithout = (field: 'to' | 'cc') => `(
    SELECT coalesce(jsonb_agg(r ORDER BY position), '[]')
    FROM jsonb_array_elements(c.visible -> '${field}') WITH ORDINALITY AS v (r, position)
    WHERE r ->> 'normalised' <> $3)`;

/**
 * $1 account, $2 message ids, $3 address. To and Cc of the other messages of the groups, if they are stored, and of
 * those that repeat them.
 */
const HIDE_IN_COPIES = `
  WITH RECURSIVE showing AS (
    SELECT m.id FROM message_logs e JOIN message_logs m ON ${nearGroup('m.id', 'e.group_id')} AND m.group_id = e.group_id
    WHERE e.account_id = $1 AND e.id = ANY ($2)
    UNION SELECT r.id FROM showing s JOIN message_logs r ON r.account_id = $1 AND r.resent_from = s.id
  )
  UPDATE message_contents c
  SET visible = c.visible || jsonb_build_object('to', ${visibleWithout('to')}, 'cc', ${visibleWithout('cc')})
  FROM showing s WHERE c.message_id = s.id AND c.visible IS NOT NULL`;

/** $1 account, $2 message ids. Counters, times and the statuses of sent messages do not change. */
const ERASE = [
  `DELETE FROM pending_deliveries WHERE account_id = $1 AND message_id = ANY ($2)`,
  `UPDATE message_logs m SET recipient = '${ERASED_RECIPIENT}', normalised_recipient = '${ERASED_RECIPIENT}', subject = NULL,
    reply_to = NULL, metadata = NULL, error = CASE WHEN m.status = 'queued' THEN 'The recipient was erased' END,
    status = CASE WHEN m.status = 'queued' THEN 'suppressed' ELSE m.status END
  WHERE m.account_id = $1 AND m.id = ANY ($2)`,
  `DELETE FROM message_contents c USING message_logs m WHERE m.account_id = $1 AND m.id = ANY ($2)
    AND c.message_id = m.id AND c.message_id = ANY ($2)`,
  // Those of groups of which no message has content any more.
  `DELETE FROM message_attachments a USING message_logs m WHERE m.account_id = $1 AND m.id = ANY ($2)
    AND a.group_id = coalesce(m.group_id, m.id) AND NOT EXISTS (
      SELECT FROM message_contents c JOIN message_logs g ON g.id = c.message_id
      WHERE ${nearGroup('c.message_id', 'a.group_id')}
        AND coalesce(g.group_id, g.id) = a.group_id)`,
  `UPDATE email_events e SET recipient = NULL, data = impersonal_event_data(e.data) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND e.message_id = m.id AND e.message_id = ANY ($2)`,
];

/** $1 account, $2 message ids, $3 pattern of the texts. They have no index but that of the search. */
const ERASE_TEXTS = `
  UPDATE message_search_texts t SET text = message_search_text(m.recipient, m.sender, m.subject) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND t.message_id = m.id AND t.message_id = ANY ($2)
    AND t.account_id = $1 AND t.text LIKE $3`;
