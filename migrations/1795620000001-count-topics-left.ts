import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which campaign people have left topics, and which accounts have erased anybody for whom something stands. */
export class CountTopicsLeft1795620000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consent_records ADD campaign_id text COLLATE "C"');
    await runner.query(
      `CREATE INDEX ix_consent_records_campaign ON consent_records (account_id, campaign_id, address)
       WHERE campaign_id IS NOT NULL AND action = 'withdrawn' AND topic_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX ix_standing_consents_erased ON standing_consents (account_id)
       WHERE address ~ '^[0-9a-f]{64}$'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_standing_consents_erased');
    await runner.query('DROP INDEX ix_consent_records_campaign');
    await runner.query('ALTER TABLE consent_records DROP campaign_id');
  }
}
