import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages with a time of their own, resent messages, and the results of a batch that has an Idempotency-Key.
 *
 * A pending delivery with a `scheduled_at` waits for that time. When it comes, the column becomes null, and the row is like
 * all others. So the index of the sweep holds none of those that wait.
 */
export class ScheduleMessages1795340000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `ALTER TABLE message_logs ADD scheduled_at timestamptz, ADD resent_from ${ID}`,
  `CREATE INDEX ix_message_logs_scheduled ON message_logs (account_id, id)
    WHERE scheduled_at IS NOT NULL AND status = 'queued'`,
  `CREATE INDEX ix_message_logs_resent ON message_logs (account_id, resent_from) WHERE resent_from IS NOT NULL`,
  `ALTER TABLE pending_deliveries ADD scheduled_at timestamptz`,
  `DROP INDEX ix_pending_deliveries_sweep`,
  `CREATE INDEX ix_pending_deliveries_sweep ON pending_deliveries (sweep_at) WHERE scheduled_at IS NULL`,
  `CREATE INDEX ix_pending_deliveries_scheduled ON pending_deliveries (account_id, scheduled_at)
    WHERE scheduled_at IS NOT NULL`,
  // An expression, so that no plan reads what is due in an account from this index, past that of all others.
  `CREATE INDEX ix_pending_deliveries_due ON pending_deliveries ((scheduled_at AT TIME ZONE 'UTC'))
    WHERE scheduled_at IS NOT NULL`,
  `ALTER TABLE idempotency_keys ADD results jsonb`,
];

const DOWN = [
  `ALTER TABLE idempotency_keys DROP results`,
  `DROP INDEX ix_pending_deliveries_due`,
  `DROP INDEX ix_pending_deliveries_scheduled`,
  `DROP INDEX ix_pending_deliveries_sweep`,
  `ALTER TABLE pending_deliveries DROP scheduled_at`,
  `CREATE INDEX ix_pending_deliveries_sweep ON pending_deliveries (sweep_at)`,
  `DROP INDEX ix_message_logs_resent`,
  `DROP INDEX ix_message_logs_scheduled`,
  `ALTER TABLE message_logs DROP scheduled_at, DROP resent_from`,
];
