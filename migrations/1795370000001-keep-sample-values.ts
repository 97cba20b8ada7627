import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Values for the placeholders of a template, for previews and tests. */
export class KeepSampleValues1795370000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE templates ADD sample_values jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE templates DROP sample_values');
  }
}
