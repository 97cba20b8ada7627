import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The relay that carried the verification link of a sender, and the number of verification mails sent. */
export class BindSendersToTheirRelay1795313000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE senders ADD COLUMN link_carrier text`,
  /*
   * An earlier version did not record what carried the link. It was the installation's relay for certain only where the
   * settings have not changed since the sender was added. A relay of the account may stand: it proves nothing for any
   * other. What remains has null, which proves nothing: such a sender has to be confirmed again.
   */
  `UPDATE senders s SET link_carrier = CASE
      WHEN s.set_up_for <> 'smtp' THEN s.set_up_for
      WHEN a.smtp->>'host' IS NOT NULL
        THEN concat_ws(':', 'smtp', a.smtp->>'host', a.smtp->>'port', coalesce(a.smtp->>'username', ''))
      WHEN a.updated_at <= s.created_at THEN 'installation'
    END
    FROM accounts a WHERE a.id = s.account_id`,
  `CREATE TABLE verification_mail_counts (
    subject text NOT NULL,
    day date NOT NULL,
    mails integer NOT NULL,
    last_mailed_at timestamptz,
    CONSTRAINT pk_verification_mail_counts PRIMARY KEY (subject)
  )`,
];

const DOWN = [`DROP TABLE verification_mail_counts`, `ALTER TABLE senders DROP COLUMN link_carrier`];
