import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SMS with a topic are delivered on a lane of their own, and released apart from what else is scheduled. Those from
 * before stay with the others.
 */
export class AddBulkSmsLane1795600000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_deliveries ADD is_bulk_sms boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_deliveries DROP is_bulk_sms');
  }
}
