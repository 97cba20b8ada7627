import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ups that were not confirmed are listed without reading all grants of the account. */
export class IndexRequestedConsents1795640000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_consent_records_requested ON consent_records (account_id, id) WHERE action = 'requested'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_consent_records_requested');
  }
}
