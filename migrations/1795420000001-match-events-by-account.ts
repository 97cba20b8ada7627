import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the events of an account that are due to be matched, so that one with many does not delay the others. The table
 * has at most the events of a day that match nothing, as the index leaves out those of unknown type.
 */
export class MatchEventsByAccount1795420000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_unmatched_events_account_next_match ON unmatched_events (account_id, next_match_at)
      WHERE next_match_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_unmatched_events_account_next_match');
  }
}
