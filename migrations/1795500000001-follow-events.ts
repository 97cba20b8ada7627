import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The position of an event in the feed of its account is the id of the transaction that inserted it, plus `xid_offset`,
 * which grows when the database is on another server or timeline. Events that were recorded before are not in the feed.
 */
export class FollowEvents1795500000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE event_feed (
      is_only boolean NOT NULL DEFAULT true CONSTRAINT pk_event_feed PRIMARY KEY,
      xid_offset bigint NOT NULL,
      server text NOT NULL,
      CONSTRAINT ck_event_feed_is_only CHECK (is_only)
    )`);
    await runner.query(`INSERT INTO event_feed (xid_offset, server)
      SELECT 0, concat_ws(' ', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8)) FROM pg_control_system()`);
    await runner.query('ALTER TABLE email_events ADD COLUMN account_id text COLLATE "C", ADD COLUMN position bigint');
    await runner.query(
      'CREATE INDEX ix_email_events_feed ON email_events (account_id, position, id) WHERE account_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_events DROP COLUMN position, DROP COLUMN account_id');
    await runner.query('DROP TABLE event_feed');
  }
}
