import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Topics, the topic of each message and campaign, and counts of messages by topic. A deleted topic keeps its row, for
 * its messages, consents and links.
 */
export class CreateTopics1795550000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const COUNTS = (rows: string, by: string, ...columns: string[]) => `
  SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(api_key_id, ''), coalesce(campaign_id, ''), status,
    sum(${by}), sum(${by} * (opens > 0)::integer), sum(${by} * opens), sum(${by} * (clicks > 0)::integer), sum(${by} * clicks)
    ${columns.map((column) => `, ${column}`).join('')}
  FROM ${rows} GROUP BY 1, 2, 3, 4, 5${columns.map((column) => `, ${column}`).join('')}`;

const BEFORE_AND_AFTER = '(SELECT *, -1 AS sign FROM before UNION ALL SELECT *, 1 AS sign FROM after) AS written';
const IS_CHANGED = `
      HAVING (sum(sign), sum(sign * (opens > 0)::integer), sum(sign * opens), sum(sign * (clicks > 0)::integer), sum(sign * clicks))
        <> (0, 0, 0, 0, 0)`;

/** The triggers' functions; the statements are further ones. */
const COUNTERS = (inserted: string, updated: string) => [
  `CREATE OR REPLACE FUNCTION message_logs_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_search_backlog SELECT account_id, array_agg(id)
        FROM (SELECT account_id, id, row_number() OVER (PARTITION BY account_id) / 1000 AS portion FROM added) numbered
        GROUP BY account_id, portion;
      INSERT INTO message_count_changes ${COUNTS('added', '1', 'channel')};
      ${inserted}
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION message_logs_updated() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_count_changes ${COUNTS(BEFORE_AND_AFTER, 'sign', 'channel')} ${IS_CHANGED};
      ${updated}
      RETURN NULL;
    END $$`,
];

const HAVE_TOPIC = 'WHERE topic_id IS NOT NULL';
const TOPIC_COUNTERS = [
  `INSERT INTO message_topic_count_changes ${COUNTS(`added ${HAVE_TOPIC}`, '1', 'channel', 'topic_id')};`,
  `INSERT INTO message_topic_count_changes
      ${COUNTS(`${BEFORE_AND_AFTER} ${HAVE_TOPIC}`, 'sign', 'channel', 'topic_id')} ${IS_CHANGED};`,
] as const;

/** The columns of message_counts, and the topic. */
const COUNT_COLUMNS = `
    account_id ${ID} NOT NULL,
    day date NOT NULL,
    api_key_id ${ID} NOT NULL,
    campaign_id ${ID} NOT NULL,
    status text NOT NULL,
    messages bigint NOT NULL,
    opened bigint NOT NULL,
    opens bigint NOT NULL,
    clicked bigint NOT NULL,
    clicks bigint NOT NULL,
    channel text NOT NULL,
    topic_id ${ID} NOT NULL`;

const UP = [
  `CREATE TABLE topics (
    id ${ID} NOT NULL CONSTRAINT pk_topics PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_topics_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    normalised_name text NOT NULL,
    description text NOT NULL,
    visibility text NOT NULL,
    by_default text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz
  )`,
  `CREATE INDEX ix_topics_account ON topics (account_id, id)`,
  `CREATE UNIQUE INDEX uq_topics_account_name ON topics (account_id, normalised_name) WHERE deleted_at IS NULL`,
  `LOCK TABLE message_logs IN SHARE ROW EXCLUSIVE MODE`,
  `ALTER TABLE message_logs ADD topic_id ${ID}`,
  // The newest of each status are read one by one, so that a rare status is found as fast as a frequent one.
  `CREATE INDEX ix_message_logs_topic ON message_logs (account_id, topic_id, status, id) WHERE topic_id IS NOT NULL`,
  // Tables of their own: processes of the previous release go on to roll up the others.
  `CREATE TABLE message_topic_counts (${COUNT_COLUMNS},
    CONSTRAINT pk_message_topic_counts
      PRIMARY KEY (account_id, topic_id, day, api_key_id, campaign_id, status, channel)
  )`,
  `CREATE TABLE message_topic_count_changes (${COUNT_COLUMNS}
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  ...COUNTERS(...TOPIC_COUNTERS),
  `ALTER TABLE campaigns ADD topic_id ${ID}, ADD skipped_out_of_topic integer NOT NULL DEFAULT 0`,
];

const DOWN = [
  `LOCK TABLE message_logs IN SHARE ROW EXCLUSIVE MODE`,
  `ALTER TABLE campaigns DROP skipped_out_of_topic, DROP topic_id`,
  ...COUNTERS('', ''),
  `DROP TABLE message_topic_count_changes`,
  `DROP TABLE message_topic_counts`,
  `DROP INDEX ix_message_logs_topic`,
  `ALTER TABLE message_logs DROP topic_id`,
  `DROP TABLE topics`,
];
