import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A proxy may name clients by something else than an address, which is not kept. */
export class KeepAddressesOfClients1795580000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE form_signups ALTER COLUMN ip DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE form_signups SET ip = '' WHERE ip IS NULL`);
    await runner.query('ALTER TABLE form_signups ALTER COLUMN ip SET NOT NULL');
  }
}
