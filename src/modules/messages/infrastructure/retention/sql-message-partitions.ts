import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { MonthlyPartitions, type Partition, PARTITION_LOCK } from '../../../../platform/database/monthly-partitions.js';
import { idPrefix } from '../../../../shared/ids.js';
import { MessagePartitions } from '../../application/ports/message-maintenance.js';
import { nearGroup } from '../groups/group-storage.js';

const CONTENT_TABLES = ['message_contents', 'message_attachments'] as const;
const TABLES = [...CONTENT_TABLES, 'message_logs', 'message_search_texts', 'message_tags', 'email_events'] as const;
const DELETE_BATCH_SIZE = 5_000;
/**
 * Keeps all partitions until the transaction ends, for messages of a month that is over. `isKept` is false if one is
 * just being dropped, which may wait for readers.
 */
export const KEEP_PARTITIONS = `SELECT pg_try_advisory_xact_lock_shared(${PARTITION_LOCK}) AS "isKept"`;

/** The first day of the oldest month in the log. Months are dropped from there first, from the rollup shortly after. */
export const FIRST_RETAINED_DAY = `
  SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'message_logs'::regclass AND NOT i.inhdetachpending`;

@Injectable()
export class SqlMessagePartitions extends MessagePartitions {
  private readonly partitions: MonthlyPartitions;

  constructor(private readonly database: Database) {
    super();
    this.partitions = new MonthlyPartitions(database);
  }

  ensure(from: Date, months: number): Promise<void> {
    return this.partitions.ensure(TABLES, from, months);
  }

  async purgeContentsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(CONTENT_TABLES, time);
    for (const statement of [PURGE_CONTENTS, PURGE_ATTACHMENTS]) {
      let batch: { removed: number; last: string | null } | undefined;
      do [batch] = await this.database.query(statement, [batch?.last ?? '', idPrefix(time), DELETE_BATCH_SIZE]);
      while (batch?.removed === DELETE_BATCH_SIZE);
    }
  }

  async purgeTestContentsAcrossAccounts(from: Date, to: Date): Promise<void> {
    for (const { id } of await this.database.query<{ id: string }>(TEST_ACCOUNTS)) {
      let batch: { read: number; last: string | null } | undefined;
      do {
        const values = [id, batch?.last ?? idPrefix(from), idPrefix(to), DELETE_BATCH_SIZE];
        [batch] = await this.database.query(PURGE_TEST_CONTENTS, values);
      } while (batch?.read === DELETE_BATCH_SIZE);
    }
  }

  async dropMonthsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(TABLES, time);
    await this.database.deleteInBatches('campaign_contents', IS_UNUSED_CAMPAIGN_CONTENT, [time]);
  }

  /**
   * Detaches concurrently before dropping, so that readers and writers of other months do not wait. Continues where a
   * killed process stopped: a table can detach only one partition at a time, so a half-detached one comes first. Keeps
   * months with pending deliveries: whoever stores a message in a month that is over holds the same lock.
   */
  private async dropEndedBefore(tables: readonly string[], time: Date): Promise<void> {
    for (const partition of await this.partitions.list(tables)) {
      if (partition.state === 'detaching') await this.partitions.finishDetaching(partition);
      if (partition.end <= time) await this.database.whileLocked(PARTITION_LOCK, () => this.drop(partition));
    }
  }

  private async drop(partition: Partition): Promise<void> {
    if (await this.hasPending(partition)) return;
    const { table, name, state } = partition;
    if (state === 'attached')
      await this.database.queryWithoutTimeout(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
    await this.database.query(`DROP TABLE IF EXISTS ${name}`);
  }

  private async hasPending({ month, end }: Partition): Promise<boolean> {
    const found = await this.database.query(
      'SELECT FROM pending_deliveries WHERE message_id >= $1 AND message_id < $2 LIMIT 1',
      [idPrefix(month), idPrefix(end)],
    );
    return found.length > 0;
  }
}

/**
 * $1 the id with which to begin, $2 the id before which contents end, $3 the limit. Each batch begins where the one
 * before ended: what is pending, possibly for months, is read once. It serves all accounts and waits for no lock:
 * locked rows are left to the next purge.
 */
const PURGE_CONTENTS = `
  WITH expired AS (
    SELECT message_id FROM message_contents c
    WHERE message_id >= $1 AND message_id < $2
      AND NOT EXISTS (SELECT FROM pending_deliveries p WHERE p.message_id = c.message_id)
    ORDER BY message_id LIMIT $3 FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM message_contents WHERE message_id IN (SELECT message_id FROM expired)
  )
  SELECT count(*)::integer AS removed, max(message_id) AS last FROM expired`;

/** Like PURGE_CONTENTS, for attachments. */
const PURGE_ATTACHMENTS = `
  WITH expired AS (
    SELECT group_id, number, part FROM message_attachments a
    WHERE group_id >= $1 AND group_id < $2 AND NOT EXISTS (
      SELECT FROM pending_deliveries p
      WHERE ${nearGroup('p.message_id', 'a.group_id')})
    ORDER BY group_id LIMIT $3 FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM message_attachments WHERE (group_id, number, part) IN (SELECT group_id, number, part FROM expired)
  )
  SELECT count(*)::integer AS removed, max(group_id) AS last FROM expired`;

const TEST_ACCOUNTS = 'SELECT id FROM accounts WHERE test_of IS NOT NULL';

/**
 * $1 account, $2 the id after which to begin, $3 the id before which contents end, $4 the limit of messages. Other
 * accounts follow, so locked rows are left to the next purge.
 */
const PURGE_TEST_CONTENTS = `
  WITH expired AS (
    SELECT id FROM message_logs WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4
  ), idle_contents AS MATERIALIZED (
    SELECT c.message_id FROM message_contents c JOIN expired e ON c.message_id = e.id
    WHERE c.message_id > $2 AND c.message_id < $3
      AND NOT EXISTS (SELECT FROM pending_deliveries p WHERE p.message_id = e.id)
    FOR UPDATE OF c SKIP LOCKED
  ), contents AS (
    DELETE FROM message_contents c USING idle_contents i
    WHERE c.message_id = i.message_id AND c.message_id > $2 AND c.message_id < $3
  ), idle_attachments AS MATERIALIZED (
    SELECT a.group_id, a.number, a.part FROM message_attachments a JOIN expired e ON a.group_id = e.id
    WHERE a.group_id > $2 AND a.group_id < $3 AND a.account_id = $1
      AND NOT EXISTS (SELECT FROM pending_deliveries p WHERE ${nearGroup('p.message_id', 'a.group_id')})
    FOR UPDATE OF a SKIP LOCKED
  ), attachments AS (
    DELETE FROM message_attachments a USING idle_attachments i
    WHERE (a.group_id, a.number, a.part) = (i.group_id, i.number, i.part) AND a.group_id > $2 AND a.group_id < $3
  )
  SELECT count(*)::integer AS read, max(id) AS last FROM expired`;

/** Condition on `campaign_contents`: no message uses the content any more. */
const IS_UNUSED_CAMPAIGN_CONTENT = `
  frozen_at < $1 AND NOT EXISTS (
    SELECT FROM message_logs m
    WHERE m.account_id = campaign_contents.account_id AND m.campaign_id = campaign_contents.campaign_id)`;
