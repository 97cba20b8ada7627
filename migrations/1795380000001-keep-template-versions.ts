import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The former contents of templates, by version. The newest version is the template itself, so existing templates are
 * version 1 without a row here, and a process of an earlier version that saves a template only records no version.
 */
export class KeepTemplateVersions1795380000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `ALTER TABLE templates ADD version integer NOT NULL DEFAULT 1`,
  `CREATE TABLE template_versions (
    template_id ${ID} NOT NULL CONSTRAINT fk_template_versions_template REFERENCES templates (id) ON DELETE CASCADE,
    version integer NOT NULL,
    account_id ${ID} NOT NULL,
    name text NOT NULL,
    subject text NOT NULL,
    html text,
    text text,
    sample_values jsonb NOT NULL,
    saved_at timestamptz NOT NULL,
    CONSTRAINT pk_template_versions PRIMARY KEY (template_id, version)
  )`,
];

const DOWN = [`DROP TABLE template_versions`, `ALTER TABLE templates DROP version`];
