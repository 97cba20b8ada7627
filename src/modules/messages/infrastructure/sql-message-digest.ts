import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { MessageDigest } from '../application/ports/message-digest.js';
import { FIRST_DAY_KEPT } from './first-day-kept.sql.js';

const COUNT_CHANGES = 20_000;
/** About a tenth of a second of work. */
const TEXTS = 5_000;
/** Of every five: under more load than that for long, texts wait for quieter times. */
const INDEX_FOR_MS = 1_500;

@Injectable()
export class SqlMessageDigest extends MessageDigest {
  constructor(private readonly database: Database) {
    super();
  }

  async addUpCountsAcrossAccounts(): Promise<void> {
    for (;;) {
      const [batch] = await this.database.query<{ taken: number }>(ADD_UP, [COUNT_CHANGES]);
      if ((batch?.taken ?? 0) < COUNT_CHANGES) return;
    }
  }

  async indexTextsAcrossAccounts(): Promise<void> {
    const startedAt = performance.now();
    let indexed: number;
    do {
      const [batch] = await this.database.query<{ indexed: number }>(INDEX_TEXTS, [TEXTS]);
      indexed = batch?.indexed ?? 0;
    } while (indexed >= TEXTS && performance.now() - startedAt < INDEX_FOR_MS);
    await this.database.unhurried(WORK_IN);
  }

  async forgetDroppedMonthsAcrossAccounts(): Promise<void> {
    for (const table of ['message_count_changes', 'message_counts']) await this.database.query(FORGET(table));
  }
}

/** $1: how many changes. They are taken and added in one statement, so that a reader counts each once. */
const ADD_UP = `
  WITH taken AS (
    DELETE FROM message_count_changes
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM message_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING *
  ), added AS (
    INSERT INTO message_counts AS kept
    SELECT account_id, day, api_key_id, campaign_id, status, sum(messages), sum(opened), sum(opens), sum(clicked), sum(clicks), channel
    FROM taken GROUP BY 1, 2, 3, 4, 5, channel ORDER BY 1, 2, 3, 4, 5, channel
    ON CONFLICT (account_id, day, api_key_id, campaign_id, status, channel) DO UPDATE SET
      messages = kept.messages + excluded.messages, opened = kept.opened + excluded.opened, opens = kept.opens + excluded.opens,
      clicked = kept.clicked + excluded.clicked, clicks = kept.clicks + excluded.clicks
  )
  SELECT count(*)::integer AS taken FROM taken`;

/** $1: how many messages, about. */
const INDEX_TEXTS = `
  WITH next AS (
    SELECT place FROM (
      SELECT ctid AS place, sum(cardinality(message_ids)) OVER (ORDER BY ctid) - cardinality(message_ids) AS before FROM message_search_backlog
    ) listed WHERE before < $1
  ), taken AS (
    DELETE FROM message_search_backlog WHERE ctid = ANY (ARRAY(SELECT place FROM next)) RETURNING message_ids
  ), indexed AS (
    INSERT INTO message_search_texts
    SELECT m.id, m.account_id, message_search_text(m.recipient, m.sender, m.subject)
    FROM taken CROSS JOIN LATERAL unnest(message_ids) AS listed (id) JOIN message_logs m ON m.id = listed.id
  )
  SELECT coalesce(sum(cardinality(message_ids)), 0)::integer AS indexed FROM taken`;

const WORK_IN = `
  SELECT gin_clean_pending_list(inhrelid) FROM pg_inherits WHERE inhparent = 'ix_message_search_texts'::regclass`;

const FORGET = (table: string) => `DELETE FROM ${table} WHERE day < (${FIRST_DAY_KEPT})`;
