import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that are held because their campaign is paused: the sweep looks every few seconds for what to release. */
export class IndexHeldDeliveries1795450000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_pending_deliveries_held ON pending_deliveries (account_id, campaign_id)
        WHERE sweep_at = 'infinity' AND campaign_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    // A release without this index does not release them.
    await runner.query(
      `UPDATE pending_deliveries SET next_attempt_at = now(), sweep_at = now()
        WHERE sweep_at = 'infinity' AND campaign_id IS NOT NULL`,
    );
    await runner.query(`DROP INDEX ix_pending_deliveries_held`);
  }
}
