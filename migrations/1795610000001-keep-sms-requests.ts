import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a reply to an SMS asks for, and when it was sent by the clock of the provider. */
export class KeepSmsRequests1795610000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sms_replies ADD request text, ADD requested_at timestamptz');
    await runner.query(
      `CREATE INDEX ix_sms_replies_requests ON sms_replies (account_id, sender, requested_at)
       WHERE request IS NOT NULL`,
    );
    // What is kept without end must not be read by each purge.
    await runner.query('DROP INDEX ix_sms_replies_received');
    await runner.query(`CREATE INDEX ix_sms_replies_received ON sms_replies (received_at) WHERE sender <> ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_sms_replies_received');
    await runner.query('CREATE INDEX ix_sms_replies_received ON sms_replies (received_at)');
    await runner.query('DROP INDEX ix_sms_replies_requests');
    await runner.query('ALTER TABLE sms_replies DROP request, DROP requested_at');
  }
}
