import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A reported event has an id that sorts by time and a key that identifies repeated reports. Events without a key were
 * recorded earlier: their id is their key.
 */
export class KeyReportedEvents1795316000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_events ADD COLUMN dedup_key text COLLATE "C"');
    await runner.query(
      'CREATE UNIQUE INDEX uq_email_events_dedup_key ON email_events (message_id, dedup_key) WHERE dedup_key IS NOT NULL',
    );
  }

  /** Makes keys the ids again, so that repeated reports are still recognised. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE email_events SET id = dedup_key WHERE dedup_key IS NOT NULL');
    await runner.query('ALTER TABLE email_events DROP COLUMN dedup_key');
  }
}
