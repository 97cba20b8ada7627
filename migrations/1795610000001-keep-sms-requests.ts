import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a reply to an SMS asks for, and when it was sent by the clock of the provider. */
export class KeepSmsRequests1795610000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sms_replies ADD request text, ADD requested_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sms_replies DROP request, DROP requested_at');
  }
}
