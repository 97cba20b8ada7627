import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which accounts have erased anybody for whom something stands. */
export class IndexErasedStandings1795620000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_standing_consents_erased ON standing_consents (account_id)
       WHERE address ~ '^[0-9a-f]{64}$'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_standing_consents_erased');
  }
}
