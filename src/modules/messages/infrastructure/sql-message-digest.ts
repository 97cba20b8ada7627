import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { MessageDigest } from '../application/ports/message-digest.js';

const BATCH = 20_000;

@Injectable()
export class SqlMessageDigest extends MessageDigest {
  constructor(private readonly database: Database) {
    super();
  }

  async addUpCountsAcrossAccounts(): Promise<void> {
    for (;;) {
      const [batch] = await this.database.query<{ taken: number }>(ADD_UP, [BATCH]);
      if ((batch?.taken ?? 0) < BATCH) return;
    }
  }

  async indexTextsAcrossAccounts(): Promise<void> {
    await this.database.unhurried(INDEX_TEXTS);
  }

  async forgetDroppedMonthsAcrossAccounts(): Promise<void> {
    await this.database.query(FORGET);
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
    SELECT account_id, day, api_key_id, campaign_id, status, sum(messages), sum(opened), sum(opens), sum(clicked), sum(clicks)
    FROM taken GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, day, api_key_id, campaign_id, status) DO UPDATE SET
      messages = kept.messages + excluded.messages, opened = kept.opened + excluded.opened, opens = kept.opens + excluded.opens,
      clicked = kept.clicked + excluded.clicked, clicks = kept.clicks + excluded.clicks
  )
  SELECT count(*)::integer AS taken FROM taken`;

const INDEX_TEXTS = `
  SELECT gin_clean_pending_list(inhrelid) FROM pg_inherits WHERE inhparent = 'ix_message_search_texts'::regclass`;

/** Partitions are called after their months. */
const FORGET = `
  DELETE FROM message_counts WHERE day < (
    SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'message_logs'::regclass)`;
