import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The records that an account has few of are found without reading all its grants. */
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
