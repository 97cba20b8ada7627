import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events reported by providers, events for webhooks (the outbox), and events that are not matched yet. */
export class IngestEvents1795255200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE outbox_events (
    id ${ID} NOT NULL CONSTRAINT pk_outbox_events PRIMARY KEY,
    account_id ${ID} NOT NULL,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    data jsonb NOT NULL
  )`,
  // A provider may report only its own message id.
  `CREATE INDEX ix_message_logs_provider_message ON message_logs (provider_message_id) WHERE provider_message_id IS NOT NULL`,
  // Events whose message is unknown, possibly not for long: a provider may report before the outcome is recorded.
  `CREATE TABLE unmatched_events (
    id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    provider text NOT NULL,
    message_id ${ID},
    provider_message_id text,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    recipient text,
    data jsonb NOT NULL,
    received_at timestamptz NOT NULL,
    match_until timestamptz NOT NULL,
    next_match_at timestamptz,
    CONSTRAINT pk_unmatched_events PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX ix_unmatched_events_match_until ON unmatched_events (match_until)`,
  `CREATE INDEX ix_unmatched_events_next_match ON unmatched_events (next_match_at) WHERE next_match_at IS NOT NULL`,
  // Keys of reports without a timeline event that must not be applied twice: one-time tokens, suppression notices.
  `CREATE TABLE seen_reports (
    account_id ${ID} NOT NULL,
    key text NOT NULL,
    meaning text NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT pk_seen_reports PRIMARY KEY (account_id, key)
  )`,
  `CREATE INDEX ix_seen_reports_seen_at ON seen_reports (seen_at)`,
];

const DOWN = [
  `DROP TABLE seen_reports`,
  `DROP TABLE unmatched_events`,
  `DROP INDEX ix_message_logs_provider_message`,
  `DROP TABLE outbox_events`,
];
