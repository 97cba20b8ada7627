import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not in the transaction that adds the column, which locks readers out. */
export class IndexConsentsByCampaign1795620000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_consent_records_campaign ON consent_records (account_id, campaign_id, address)
       WHERE campaign_id IS NOT NULL AND action = 'withdrawn' AND topic_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_consent_records_campaign');
  }
}
