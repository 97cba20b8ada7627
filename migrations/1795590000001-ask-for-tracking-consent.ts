import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether opens and clicks are recorded only of those who have agreed. */
export class AskForTrackingConsent1795590000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE accounts ADD tracking_consent text NOT NULL DEFAULT 'not_required'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP tracking_consent');
  }
}
