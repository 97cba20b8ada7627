import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { MessageRollup } from '../../application/ports/message-maintenance.js';
import { FIRST_RETAINED_DAY } from './sql-message-partitions.js';

const MAX_COUNT_CHANGES = 20_000;
/** The texts of one step, which takes about a tenth of a second. */
const MAX_TEXTS = 5_000;
const MAX_BACKLOG_ROWS = 500;
/** Indexing stops after this much of each five-second interval: under sustained load texts stay in the backlog. */
const MAX_INDEXING_MS = 1_500;
/** A merge takes a fifth of a second of a core even for few texts; searches read through what is not merged. */
const MERGE_AFTER = { texts: 5_000, ms: 30_000 };

const COUNTS_BY_DAY = [
  ...['message_count_changes', 'message_counts'],
  ...['message_topic_count_changes', 'message_topic_counts'],
];

@Injectable()
export class SqlMessageRollup extends MessageRollup {
  private merged = { at: -Infinity, textsSince: 0 };

  constructor(private readonly database: Database) {
    super();
  }

  async rollUpCountsAcrossAccounts(): Promise<void> {
    for (const statement of [ROLL_UP, ROLL_UP_TOPICS, ROLL_UP_ACTIVITY]) {
      let batch: { taken: number } | undefined;
      do [batch] = await this.database.query<{ taken: number }>(statement, [MAX_COUNT_CHANGES]);
      while (batch?.taken === MAX_COUNT_CHANGES);
    }
  }

  async indexTextsAcrossAccounts(): Promise<void> {
    const startedAt = performance.now();
    let indexed: number;
    do {
      const [batch] = await this.database.query<{ indexed: number }>(INDEX_TEXTS, [MAX_TEXTS, MAX_BACKLOG_ROWS]);
      indexed = batch?.indexed ?? 0;
      this.merged.textsSince += indexed;
    } while (indexed > 0 && performance.now() - startedAt < MAX_INDEXING_MS);
    const { at, textsSince } = this.merged;
    if (textsSince < MERGE_AFTER.texts && performance.now() - at < MERGE_AFTER.ms) return;
    await this.database.queryWithoutTimeout(MERGE_PENDING_LISTS);
    this.merged = { at: performance.now(), textsSince: 0 };
  }

  async purgeDroppedMonthsAcrossAccounts(): Promise<void> {
    const isDropped = (column: string) => `${column} < (${FIRST_RETAINED_DAY})`;
    for (const table of COUNTS_BY_DAY) await this.database.deleteInBatches(table, isDropped('day'));
    for (const table of ['campaign_activity_changes', 'campaign_activity'])
      await this.database.deleteInBatches(table, isDropped('hour'));
  }
}

/**
 * $1: the maximum of changes. Deletes and adds them in one statement, so that a reader counts each once. The columns of
 * the tables have this order.
 */
const rollUp = (table: string, changes: string, ...key: string[]) => `
  WITH taken AS (
    DELETE FROM ${changes}
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${changes} LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING *
  ), merged AS (
    INSERT INTO ${table} AS c
    SELECT account_id, day, api_key_id, campaign_id, status, sum(messages), sum(opened), sum(opens), sum(clicked),
      sum(clicks), ${key.join(', ')}
    FROM taken GROUP BY 1, 2, 3, 4, 5, ${key.join(', ')} ORDER BY 1, 2, 3, 4, 5, ${key.join(', ')}
    ON CONFLICT (account_id, day, api_key_id, campaign_id, status, ${key.join(', ')}) DO UPDATE SET
      messages = c.messages + excluded.messages, opened = c.opened + excluded.opened, opens = c.opens + excluded.opens,
      clicked = c.clicked + excluded.clicked, clicks = c.clicks + excluded.clicks
  )
  SELECT count(*)::integer AS taken FROM taken`;

const ROLL_UP = rollUp('message_counts', 'message_count_changes', 'channel');
const ROLL_UP_TOPICS = rollUp('message_topic_counts', 'message_topic_count_changes', 'channel', 'topic_id');

const ROLL_UP_ACTIVITY = `
  WITH taken AS (
    DELETE FROM campaign_activity_changes
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM campaign_activity_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING *
  ), merged AS (
    INSERT INTO campaign_activity AS a
    SELECT account_id, campaign_id, hour, type, sum(events) FROM taken GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, campaign_id, hour, type) DO UPDATE SET events = a.events + excluded.events
  )
  SELECT count(*)::integer AS taken FROM taken`;

/**
 * $1: the approximate maximum of messages, $2: the maximum of rows, of which each may hold a thousand. OFFSET 0 keeps
 * the planner from reading the whole log to join it.
 */
const INDEX_TEXTS = `
  WITH next AS (
    SELECT row_id FROM (
      SELECT row_id, sum(texts) OVER (ORDER BY row_id) - texts AS before
      FROM (SELECT ctid AS row_id, cardinality(message_ids) AS texts FROM message_search_backlog LIMIT $2) oldest
    ) backlog WHERE before < $1
  ), taken AS (
    DELETE FROM message_search_backlog WHERE ctid = ANY (ARRAY(SELECT row_id FROM next)) RETURNING message_ids
  ), indexed AS (
    INSERT INTO message_search_texts
    SELECT m.id, m.account_id, message_search_text(m.recipient, m.sender, m.subject)
    FROM taken CROSS JOIN LATERAL unnest(message_ids) AS listed (id)
    CROSS JOIN LATERAL (SELECT * FROM message_logs WHERE id = listed.id OFFSET 0) m
  )
  SELECT coalesce(sum(cardinality(message_ids)), 0)::integer AS indexed FROM taken`;

const MERGE_PENDING_LISTS = `
  SELECT gin_clean_pending_list(inhrelid) FROM pg_inherits WHERE inhparent = 'ix_message_search_texts'::regclass`;
