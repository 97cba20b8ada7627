import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A form may have very many sign-ups: they are removed after it, in batches. A foreign key would remove them in the
 * statement that removes the form, and let submissions wait for its lock.
 */
export class RemoveSignupsInBatches1795580000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE form_signups DROP CONSTRAINT fk_form_signups_form');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM form_signups s WHERE NOT EXISTS (SELECT FROM forms f WHERE f.id = s.form_id)');
    await runner.query(`ALTER TABLE form_signups
      ADD CONSTRAINT fk_form_signups_form FOREIGN KEY (form_id) REFERENCES forms (id) ON DELETE CASCADE`);
  }
}
