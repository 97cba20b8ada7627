import { idPrefix } from '../../shared/ids.js';
import { monthAfter } from '../../shared/utc.js';
import type { Database } from './database.js';

/** Status updates leave dead rows and index entries, which slow down lists until they are vacuumed. */
const STORAGE = 'autovacuum_vacuum_scale_factor = 0.05';
/** An advisory lock id that nothing else in the database uses. Exclusive while partitions are attached or dropped. */
export const PARTITION_LOCK = 7_203_115;

export interface Partition {
  table: string;
  name: string;
  month: Date;
  /** The exclusive end of the month. */
  end: Date;
  state: 'attached' | 'detaching' | 'detached';
}

/** Partitions of tables by id: they are named `<table>_YYYY_MM` and contain the ids of that UTC month. */
export class MonthlyPartitions {
  constructor(private readonly database: Database) {}

  /** Creates the missing partitions of this many months, starting with the month of `from`. */
  async ensure(tables: readonly string[], from: Date, months: number): Promise<void> {
    const existing = new Map((await this.list(tables)).map((partition) => [partition.name, partition]));
    for (const month of Array.from({ length: months }, (_, i) => monthAfter(from, i))) {
      for (const table of tables) {
        const found = existing.get(nameOf(table, month));
        if (found?.state === 'attached') continue;
        if (found?.state === 'detaching') await this.finishDetaching(found);
        await this.database.run(() => this.attach(table, month));
      }
    }
  }

  /** Lists the partitions, half-detached ones first, then by name. */
  async list(tables: readonly string[]): Promise<Partition[]> {
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

  async finishDetaching({ table, name }: Partition): Promise<void> {
    await this.database.queryWithoutTimeout(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`);
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
}

const nameOf = (table: string, month: Date): string => `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
