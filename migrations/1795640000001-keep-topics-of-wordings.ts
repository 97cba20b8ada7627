import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The topics of each version of a form. Null in versions that a process of an earlier release has added. */
export class KeepTopicsOfWordings1795640000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE form_wordings ADD COLUMN topic_ids text[]`);
    await runner.query(
      `UPDATE form_wordings w SET topic_ids = f.topic_ids FROM forms f
       WHERE f.account_id = w.account_id AND f.id = w.form_id`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE form_wordings DROP COLUMN topic_ids`);
  }
}
