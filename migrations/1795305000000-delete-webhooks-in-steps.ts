import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An endpoint may have millions of deliveries: it is marked as deleted, and removed with them in steps. */
export class DeleteWebhooksInSteps1795305000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN deleted_at timestamptz');
  }

  /** Removes marked endpoints, which would reappear otherwise. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM webhook_endpoints WHERE deleted_at IS NOT NULL');
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN deleted_at');
  }
}
