import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A name belongs to the account that has verified it. Until then several accounts may add it. */
export class SharePendingDomainNames1795313000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE domains
      DROP CONSTRAINT uq_domains_name,
      ADD CONSTRAINT uq_domains_account_name UNIQUE (account_id, name)`);
    await runner.query(`CREATE UNIQUE INDEX uq_domains_verified_name ON domains (name) WHERE ${VERIFIED}`);
  }

  /** The account that has verified the name keeps it, else the first that added it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM domains WHERE id NOT IN (
      SELECT DISTINCT ON (name) id FROM domains ORDER BY name, (${VERIFIED}) DESC, created_at, id)`);
    await runner.query('DROP INDEX uq_domains_verified_name');
    await runner.query(`ALTER TABLE domains
      DROP CONSTRAINT uq_domains_account_name,
      ADD CONSTRAINT uq_domains_name UNIQUE (name)`);
  }
}

const VERIFIED = `dkim_status = 'verified' AND spf_status = 'verified' AND mail_from_status = 'verified'`;
