import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which messages of a lane are due. Not in the transaction that adds the column, which locks readers out. */
export class IndexScheduledByLane1795600000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_pending_deliveries_scheduled_lane ON pending_deliveries (account_id, is_bulk_sms, scheduled_at)
       WHERE scheduled_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_pending_deliveries_scheduled_lane');
  }
}
