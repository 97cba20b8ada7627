import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Suppressions are searched by trigrams, like contacts and messages, whose migrations created the extensions. */
export class IndexSuppressionSearch1795316000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX ix_suppressions_search ON suppressions USING gin (account_id, address gin_trgm_ops)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_suppressions_search');
  }
}
