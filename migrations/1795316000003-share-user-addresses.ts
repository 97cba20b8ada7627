import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An address may be a user of several accounts: whether another account has it is nobody's business. The constraint keeps its
 * name, by which earlier versions know a taken address.
 */
export class ShareUserAddresses1795316000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP CONSTRAINT uq_users_normalised_email,
      ADD CONSTRAINT uq_users_normalised_email UNIQUE (account_id, normalised_email)`);
    await runner.query('CREATE INDEX ix_users_normalised_email ON users (normalised_email, id)');
  }

  /** Fails where an address is a user of several accounts by now. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_users_normalised_email');
    await runner.query(`ALTER TABLE users DROP CONSTRAINT uq_users_normalised_email,
      ADD CONSTRAINT uq_users_normalised_email UNIQUE (normalised_email)`);
  }
}
