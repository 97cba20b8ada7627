import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An address may belong to users of several accounts, because an account must not learn the addresses of others. The
 * constraint keeps its name, by which earlier versions recognise a taken address.
 */
export class ShareUserAddresses1795316000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP CONSTRAINT uq_users_normalised_email,
      ADD CONSTRAINT uq_users_normalised_email UNIQUE (account_id, normalised_email)`);
    await runner.query('CREATE INDEX ix_users_normalised_email ON users (normalised_email, id)');
  }

  /** Fails if an address belongs to users of several accounts. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_users_normalised_email');
    await runner.query(`ALTER TABLE users DROP CONSTRAINT uq_users_normalised_email,
      ADD CONSTRAINT uq_users_normalised_email UNIQUE (normalised_email)`);
  }
}
