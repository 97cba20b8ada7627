import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Looks the messages that wait to be indexed up by their ids. Without OFFSET 0 the planner takes the condition on the
 * text for so selective that it reads the whole log first.
 */
export class LookUpWaitingTexts1795400000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW message_search_waiting AS
      SELECT listed.id AS message_id, b.account_id, waiting.text
      FROM message_search_backlog b CROSS JOIN LATERAL unnest(b.message_ids) AS listed (id)
      CROSS JOIN LATERAL (
        SELECT message_search_text(m.recipient, m.sender, m.subject) AS text
        FROM message_logs m WHERE m.id = listed.id AND m.account_id = b.account_id OFFSET 0
      ) waiting`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW message_search_waiting AS
      SELECT m.id AS message_id, m.account_id, message_search_text(m.recipient, m.sender, m.subject) AS text
      FROM message_search_backlog b CROSS JOIN LATERAL unnest(b.message_ids) AS listed (id)
      JOIN message_logs m ON m.id = listed.id AND m.account_id = b.account_id`);
  }
}
