import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Withdrawals, and records about tracking, are listed without reading all grants of the account. */
export class IndexWithdrawnConsents1795640000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, condition] of INDEXES)
      await runner.query(`CREATE INDEX ${name} ON consent_records (account_id, id) WHERE ${condition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = [
  ['ix_consent_records_withdrawn', `action = 'withdrawn'`],
  ['ix_consent_records_tracking', `purpose = 'tracking'`],
] as const;
