import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Due sign-ups are found account by account, so that those of one account do not delay the others. */
export class ClaimSignupsByAccount1795580000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_form_signups_account_due ON form_signups (account_id, due_at) ${IF_DUE}`);
    await runner.query('DROP INDEX ix_form_signups_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_form_signups_due ON form_signups (due_at) ${IF_DUE}`);
    await runner.query('DROP INDEX ix_form_signups_account_due');
  }
}

const IF_DUE = 'WHERE due_at IS NOT NULL';
