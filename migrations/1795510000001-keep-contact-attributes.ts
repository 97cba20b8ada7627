import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The account's own fields of a contact; null for none, so that contacts without them cost nothing. The index finds
 * the contacts that have some, for the columns of an export. An import keeps which columns of its file it ignores.
 */
export class KeepContactAttributes1795510000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts ADD COLUMN attributes jsonb');
    await runner.query('CREATE INDEX ix_contacts_attributes ON contacts (account_id) WHERE attributes IS NOT NULL');
    await runner.query('ALTER TABLE contact_imports ADD COLUMN ignored_columns jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_imports DROP COLUMN ignored_columns');
    await runner.query('ALTER TABLE contacts DROP COLUMN attributes');
  }
}
