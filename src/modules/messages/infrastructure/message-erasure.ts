import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { containing } from '../../../platform/database/parameters.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { chunk } from '../../../shared/collections.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASED_RECIPIENT } from '../domain/message-log.js';
import { nearGroup } from './groups/group-storage.js';

/** The messages that one search finds. */
const PART_SIZE = 2_000;
/** The messages of one transaction, which takes some tenths of a second with their copies and events. */
const TRANSACTION_SIZE = 200;

/** Erases the recipient from messages, contents and timelines, and cancels messages that are still queued. */
@Injectable()
export class MessageErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const pattern = isSearchable(email) ? containing(email) : null;
    const found = await this.database.readFromPrimary<FoundPart>(FIND, [accountId, email, pattern, after, PART_SIZE]);
    let hasSkipped = false;
    for (const ids of chunk(found[0]?.ids ?? [], TRANSACTION_SIZE)) {
      const skipped = await this.database.runInLane(accountId, () => this.eraseMessages(accountId, email, ids));
      hasSkipped ||= skipped > 0;
    }
    return { next: nextAfter(found, PART_SIZE), hasSkipped };
  }

  /** Returns how many messages it has left alone because their delivery is locked or leased. */
  private async eraseMessages(accountId: string, email: string, found: readonly string[]): Promise<number> {
    const held = await this.database.query<{ id: string }>(LOCK_IDLE_DELIVERIES, [accountId, found]);
    const heldIds = new Set(held.map(({ id }) => id));
    const ids = found.filter((id) => !heldIds.has(id));
    if (ids.length > 0) {
      await this.database.query(LOCK_MESSAGES, [accountId, ids]);
      await this.database.query(HIDE_IN_COPIES, [accountId, ids, email]);
      const spellings = await this.database.query<{ text: string }>(SPELLINGS, [accountId, ids]);
      for (const statement of ERASE) await this.database.query(statement, [accountId, ids]);
      const patterns = [email, ...spellings.map(({ text }) => text)].map(containing);
      await this.database.query(ERASE_TEXTS, [accountId, ids, patterns]);
    }
    return held.length;
  }
}

interface FoundPart extends Step {
  ids: string[];
}

/** Whether the spellings of the address differ in case only, so that each searched text has it. */
const isSearchable = (email: string): boolean => /^[\x21-\x7e]+$/.test(email) && !email.includes('xn--');

/**
 * $1 account, $2 address, $3 pattern or null, $4 the last id of the previous part, $5 limit. Uses the search index,
 * which also has the texts of messages that were indexed while they were being erased, and for other spellings of the
 * address the index of these. Both may find messages to others.
 */
const FIND = `
  WITH found AS MATERIALIZED (
    SELECT s.message_id AS id FROM message_searches s
    WHERE s.account_id = $1 AND s.text LIKE $3 AND s.message_id > $4
    UNION
    SELECT i.id FROM message_logs i
    WHERE i.account_id = $1 AND i.normalised_recipient = $2 AND i.id > $4
      AND (octet_length(i.recipient) > char_length(i.recipient) OR i.recipient ILIKE '%xn--%')
    ORDER BY id LIMIT $5
  )
  SELECT max(f.id) AS last, count(*)::integer AS seen, ARRAY(
    SELECT m.id FROM message_logs m
    WHERE m.account_id = $1 AND m.normalised_recipient IN ($2, '${ERASED_RECIPIENT}')
      AND m.id = ANY (ARRAY(SELECT id FROM found)) ORDER BY m.id) AS ids
  FROM found f`;

/**
 * $1 account, $2 message ids. Nobody can claim or cancel the deliveries that it locks until the transaction ends.
 * Returns those that it has not locked, because a worker or another transaction holds them.
 */
const LOCK_IDLE_DELIVERIES = `
  WITH idle AS MATERIALIZED (
    SELECT p.message_id FROM pending_deliveries p
    WHERE p.account_id = $1 AND p.message_id = ANY ($2) AND p.lease_ends_at IS NULL
    ORDER BY p.message_id FOR UPDATE SKIP LOCKED
  )
  SELECT p.message_id AS id FROM pending_deliveries p
  WHERE p.account_id = $1 AND p.message_id = ANY ($2) AND p.message_id <> ALL (ARRAY(SELECT message_id FROM idle))`;

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
  // The attachments of groups in which no message has content any more.
  `DELETE FROM message_attachments a USING message_logs m WHERE m.account_id = $1 AND m.id = ANY ($2)
    AND a.group_id = coalesce(m.group_id, m.id) AND NOT EXISTS (
      SELECT FROM message_contents c JOIN message_logs g ON g.id = c.message_id
      WHERE ${nearGroup('c.message_id', 'a.group_id')}
        AND coalesce(g.group_id, g.id) = a.group_id)`,
  `UPDATE email_events e SET recipient = NULL, data = impersonal_event_data(e.data) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND e.message_id = m.id AND e.message_id = ANY ($2)`,
];

/** $1 account, $2 message ids. The spellings of the recipient, as in the searched texts. */
const SPELLINGS = `
  SELECT DISTINCT lower(m.recipient) AS text FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND m.recipient <> '${ERASED_RECIPIENT}'`;

/** $1 account, $2 message ids, $3 patterns of the texts. They have no index but that of the search. */
const ERASE_TEXTS = `
  UPDATE message_search_texts t SET text = message_search_text(m.recipient, m.sender, m.subject) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND t.message_id = m.id AND t.message_id = ANY ($2)
    AND t.account_id = $1 AND t.text LIKE ANY ($3)`;
