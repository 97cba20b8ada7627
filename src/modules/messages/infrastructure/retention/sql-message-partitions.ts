import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { idPrefix } from '../../../../shared/ids.js';
import { monthAfter } from '../../../../shared/utc.js';
import { MessagePartitions } from '../../application/ports/message-maintenance.js';
import { nearGroup } from '../groups/group-storage.js';

const CONTENT_TABLES = ['message_contents', 'message_attachments'] as const;
const TABLES = [...CONTENT_TABLES, 'message_logs', 'message_search_texts', 'message_tags', 'email_events'] as const;
/** Status updates leave dead rows and index entries, which slow down lists until they are vacuumed. */
const STORAGE = 'autovacuum_vacuum_scale_factor = 0.05';
const DELETE_BATCH_SIZE = 5_000;
/** An advisory lock id that nothing else in the database uses. */
const PARTITION_LOCK = 7_203_115;

/** The first day of the oldest month in the log. Months are dropped from there first, from the rollup shortly after. */
export const FIRST_RETAINED_DAY = `
  SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'message_logs'::regclass AND NOT i.inhdetachpending`;

interface Partition {
  table: string;
  name: string;
  month: Date;
  /** Exclusive. */
  end: Date;
  state: 'attached' | 'detaching' | 'detached';
}

/** Partitions are named `<table>_YYYY_MM` and contain the ids of that UTC month. */
@Injectable()
export class SqlMessagePartitions extends MessagePartitions {
  constructor(private readonly database: Database) {
    super();
  }

  async ensure(from: Date, months: number): Promise<void> {
    const existing = new Map((await this.list(TABLES)).map((partition) => [partition.name, partition]));
    for (const month of Array.from({ length: months }, (_, i) => monthAfter(from, i))) {
      for (const table of TABLES) {
        const found = existing.get(nameOf(table, month));
        if (found?.state === 'attached') continue;
        if (found?.state === 'detaching') await this.finishDetaching(found);
        await this.database.run(() => this.attach(table, month));
      }
    }
  }

  async purgeContentsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(CONTENT_TABLES, time);
    for (const statement of [PURGE_CONTENTS, PURGE_ATTACHMENTS]) {
      let batch: { removed: number; last: string | null } | undefined;
      do [batch] = await this.database.query(statement, [batch?.last ?? '', idPrefix(time), DELETE_BATCH_SIZE]);
      while (batch?.removed === DELETE_BATCH_SIZE);
    }
  }

  async dropMonthsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(TABLES, time);
    await this.database.query(PURGE_CAMPAIGN_CONTENTS, [time]);
  }

  /**
   * Creates a separate table and attaches it, which does not block the table: PARTITION OF would lock all of it. A
   * partition that a killed process detached but did not drop is attached again.
   */
  private async attach(table: string, month: Date): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
    const name = nameOf(table, month);
    const found = (await this.list([table])).find((partition) => partition.name === name);
    if (found?.state === 'attached') return;
    if (!found) await this.database.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) WITH (${STORAGE})`);
    await this.database.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name}
       FOR VALUES FROM ('${idPrefix(month)}') TO ('${idPrefix(monthAfter(month, 1))}')`,
    );
  }

  /**
   * Detaches concurrently before dropping, so that readers and writers of other months do not wait. Continues where a
   * killed process stopped: a table can detach only one partition at a time, so a half-detached one comes first. Keeps
   * months with pending deliveries.
   */
  private async dropEndedBefore(tables: readonly string[], time: Date): Promise<void> {
    for (const partition of await this.list(tables)) {
      const { table, name, end, state } = partition;
      if (state === 'detaching') await this.finishDetaching(partition);
      if (!(end <= time)) continue;
      if (state === 'attached') {
        if (await this.hasPending(partition)) continue;
        await this.database.queryWithoutTimeout(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
      }
      await this.database.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }

  private async finishDetaching({ table, name }: Partition): Promise<void> {
    await this.database.queryWithoutTimeout(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`);
  }

  private async hasPending({ month, end }: Partition): Promise<boolean> {
    const found = await this.database.query(
      'SELECT FROM pending_deliveries WHERE message_id >= $1 AND message_id < $2 LIMIT 1',
      [idPrefix(month), idPrefix(end)],
    );
    return found.length > 0;
  }

  /** Half-detached ones first, then by name. */
  private async list(tables: readonly string[]): Promise<Partition[]> {
    const rows = await this.database.query<{ name: string; state: Partition['state'] }>(
      `SELECT c.relname AS name,
         CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching'
           ELSE 'attached' END AS state
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ $1
       ORDER BY i.inhdetachpending IS TRUE DESC, c.relname`,
      [`^(${tables.join('|')})_[0-9]{4}_[0-9]{2}$`],
    );
    return rows.map(({ name, state }) => {
      const month = new Date(`${name.slice(-7).replace('_', '-')}-01T00:00:00Z`);
      return { name, state, table: name.slice(0, -8), month, end: monthAfter(month, 1) };
    });
  }
}

/**
 * $1 the id with which to begin, $2 the id before which contents end, $3 the limit. Each batch begins where the one
 * before ended: what is pending, possibly for months, is read once.
 */
const PURGE_CONTENTS = `
  WITH expired AS (
    SELECT message_id FROM message_contents c
    WHERE message_id >= $1 AND message_id < $2
      AND NOT EXISTS (SELECT FROM pending_deliveries p WHERE p.message_id = c.message_id)
    ORDER BY message_id LIMIT $3
  ), removed AS (
    DELETE FROM message_contents WHERE message_id IN (SELECT message_id FROM expired)
  )
  SELECT count(*)::integer AS removed, max(message_id) AS last FROM expired`;

/** The same for attachments. */
const PURGE_ATTACHMENTS = `
  WITH expired AS (
    SELECT group_id, number, part FROM message_attachments a
    WHERE group_id >= $1 AND group_id < $2 AND NOT EXISTS (
      SELECT FROM pending_deliveries p
      WHERE ${nearGroup('p.message_id', 'a.group_id')})
    ORDER BY group_id LIMIT $3
  ), removed AS (
    DELETE FROM message_attachments WHERE (group_id, number, part) IN (SELECT group_id, number, part FROM expired)
  )
  SELECT count(*)::integer AS removed, max(group_id) AS last FROM expired`;

/** Contents that no message uses any more. */
const PURGE_CAMPAIGN_CONTENTS = `
  DELETE FROM campaign_contents c
  WHERE c.frozen_at < $1 AND NOT EXISTS (
    SELECT FROM message_logs m WHERE m.account_id = c.account_id AND m.campaign_id = c.campaign_id)`;

const nameOf = (table: string, month: Date): string => `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
