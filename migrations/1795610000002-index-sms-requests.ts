import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not in the transaction that adds the columns, which locks readers out. */
export class IndexSmsRequests1795610000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
  }
}
