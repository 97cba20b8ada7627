import type { MigrationInterface, QueryRunner } from 'typeorm';

/** To and Cc of mails submitted by SMTP, which may name people who are no recipients. Other messages have null. */
export class KeepVisibleRecipients1795350000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE message_contents ADD visible jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE message_contents DROP visible');
  }
}
