import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failed logins by client and by known device, besides those by address in login_throttles. */
export class CountLoginClients1795311000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE login_client_throttles (
      kind text NOT NULL,
      subject text NOT NULL,
      failures integer NOT NULL,
      window_ends_at timestamptz NOT NULL,
      CONSTRAINT pk_login_client_throttles PRIMARY KEY (kind, subject)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE login_client_throttles');
  }
}
