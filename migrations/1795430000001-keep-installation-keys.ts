import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that outlive a change of APP_SECRET, sealed with it. That they can be opened shows that a process has the secret
 * of this database.
 */
export class KeepInstallationKeys1795430000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE installation_keys (
      name text NOT NULL CONSTRAINT pk_installation_keys PRIMARY KEY,
      sealed text NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE installation_keys');
  }
}
