import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { idPrefix } from '../../../shared/ids.js';
import { MessagePartitions } from '../application/ports/message-partitions.js';

const TABLES = ['message_logs', 'message_contents', 'email_events'] as const;
const DELETE_BATCH = 5_000;
/** Any number that nothing else in the database locks. */
const PARTITION_LOCK = 7_203_115;

interface Partition {
  table: string;
  name: string;
  /** The first moment that it does not hold. */
  end: Date;
  state: 'attached' | 'detaching' | 'detached';
}

/** Partitions are called `<table>_YYYY_MM` and hold the ids of that UTC month. */
@Injectable()
export class SqlMessagePartitions extends MessagePartitions {
  constructor(private readonly database: Database) {
    super();
  }

  async ensure(from: Date, months: number): Promise<void> {
    const existing = new Set((await this.list(TABLES)).map(({ name }) => name));
    const wanted = Array.from({ length: months }, (_, i) => monthAfter(from, i)).flatMap((month) =>
      TABLES.map((table) => ({ table, month, name: nameOf(table, month) })),
    );
    const missing = wanted.filter(({ name }) => !existing.has(name));
    if (missing.length === 0) return;
    await this.database.run(async () => {
      await this.database.query('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
      for (const { table, month, name } of missing) {
        await this.database.query(
          `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table}
           FOR VALUES FROM ('${idPrefix(month)}') TO ('${idPrefix(monthAfter(month, 1))}')`,
        );
      }
    });
  }

  async purgeContentsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(['message_contents'], time);
    let removed: unknown[];
    do {
      removed = await this.database.query(
        `DELETE FROM message_contents WHERE message_id IN (
           SELECT message_id FROM message_contents WHERE message_id < $1 ORDER BY message_id LIMIT $2)
         RETURNING 1`,
        [idPrefix(time), DELETE_BATCH],
      );
    } while (removed.length === DELETE_BATCH);
  }

  async dropMonthsBefore(time: Date): Promise<void> {
    await this.dropEndedBefore(TABLES, time);
  }

  /** Detached first, concurrently: readers and writers of the other months do not wait. Goes on where a killed process stopped. */
  private async dropEndedBefore(tables: readonly string[], time: Date): Promise<void> {
    for (const { table, name, end, state } of await this.list(tables)) {
      if (end > time) continue;
      if (state === 'attached') await this.database.query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
      if (state === 'detaching') await this.database.query(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`);
      await this.database.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }

  private async list(tables: readonly string[]): Promise<Partition[]> {
    const rows = await this.database.query<{ name: string; state: Partition['state'] }>(
      `SELECT c.relname AS name,
         CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ $1`,
      [`^(${tables.join('|')})_[0-9]{4}_[0-9]{2}$`],
    );
    return rows.map(({ name, state }) => {
      const month = Date.parse(`${name.slice(-7).replace('_', '-')}-01T00:00:00Z`);
      return { name, state, table: name.slice(0, -8), end: monthAfter(new Date(month), 1) };
    });
  }
}

const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

const nameOf = (table: string, month: Date): string => `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
