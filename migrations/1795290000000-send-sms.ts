import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SMS besides e-mail: settings, status of the account at the provider, pauses and counts by channel. */
export class SendSms1795290000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const ACCOUNT = (table: string) => `account_id ${ID} NOT NULL
      CONSTRAINT fk_${table}_account REFERENCES accounts (id) ON DELETE CASCADE`;

const COUNTS = (rows: string, by: string, ...columns: string[]) => `
  SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(api_key_id, ''), coalesce(campaign_id, ''), status,
    sum(${by}), sum(${by} * (opens > 0)::integer), sum(${by} * opens), sum(${by} * (clicks > 0)::integer), sum(${by} * clicks)
    ${columns.map((column) => `, ${column}`).join('')}
  FROM ${rows} AS written GROUP BY 1, 2, 3, 4, 5${columns.map((column) => `, ${column}`).join('')}`;

/** The trigger functions, by channel or, as before, without channel. */
const COUNTERS = (...columns: string[]) => [
  `CREATE OR REPLACE FUNCTION message_logs_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_search_backlog SELECT account_id, array_agg(id)
        FROM (SELECT account_id, id, row_number() OVER (PARTITION BY account_id) / 1000 AS portion FROM added) numbered
        GROUP BY account_id, portion;
      INSERT INTO message_count_changes ${COUNTS('added', '1', ...columns)};
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION message_logs_updated() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_count_changes ${COUNTS('(SELECT *, -1 AS sign FROM before UNION ALL SELECT *, 1 AS sign FROM after)', 'sign', ...columns)}
      HAVING (sum(sign), sum(sign * (opens > 0)::integer), sum(sign * opens), sum(sign * (clicks > 0)::integer), sum(sign * clicks))
        <> (0, 0, 0, 0, 0);
      RETURN NULL;
    END $$`,
];

/** Moves the counts of SMS already in the log from e-mail to SMS. */
const COUNTED_AS_EMAIL = `(
    SELECT m.account_id, m.created_at, m.api_key_id, m.campaign_id, m.status, m.opens, m.clicks, moved.sign, moved.channel
    FROM message_logs m CROSS JOIN (VALUES (-1, 'email'), (1, 'sms')) AS moved (sign, channel) WHERE m.channel = 'sms')`;

const UP = [
  `LOCK TABLE message_logs IN SHARE ROW EXCLUSIVE MODE`,
  `ALTER TABLE accounts ADD sms jsonb`,
  // E-mail and SMS have different providers: one may refuse everything while the other does not.
  `ALTER TABLE delivery_pauses ADD channel text NOT NULL DEFAULT 'email',
    DROP CONSTRAINT pk_delivery_pauses, ADD CONSTRAINT pk_delivery_pauses PRIMARY KEY (account_id, channel)`,
  // The last known status of the account at the provider, with the settings of that time.
  `CREATE TABLE sms_standings (
    ${ACCOUNT('sms_standings')} CONSTRAINT pk_sms_standings PRIMARY KEY,
    sandbox boolean NOT NULL,
    verified_numbers text[] NOT NULL,
    origination_numbers text[] NOT NULL,
    checked_at timestamptz NOT NULL
  )`,
  // Progress of reading the provider's opt-out list; round: the current or the last reading.
  `CREATE TABLE sms_opt_out_syncs (
    ${ACCOUNT('sms_opt_out_syncs')} CONSTRAINT pk_sms_opt_out_syncs PRIMARY KEY,
    round ${ID},
    next_token text,
    lease_ends_at timestamptz,
    added integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    synced_at timestamptz
  )`,
  // The list as read, each number with the last round that contained it.
  `CREATE TABLE sms_opted_out_numbers (
    ${ACCOUNT('sms_opted_out_numbers')},
    number text NOT NULL,
    round ${ID} NOT NULL,
    CONSTRAINT pk_sms_opted_out_numbers PRIMARY KEY (account_id, number)
  )`,
  // A partial index, because few messages are SMS.
  `CREATE INDEX ix_message_logs_sms ON message_logs (account_id, id) WHERE channel = 'sms'`,
  `ALTER TABLE message_count_changes ADD channel text NOT NULL DEFAULT 'email'`,
  `ALTER TABLE message_counts ADD channel text NOT NULL DEFAULT 'email', DROP CONSTRAINT pk_message_counts,
    ADD CONSTRAINT pk_message_counts PRIMARY KEY (account_id, day, api_key_id, campaign_id, status, channel)`,
  ...COUNTERS('channel'),
  `INSERT INTO message_count_changes ${COUNTS(COUNTED_AS_EMAIL, 'sign', 'channel')}`,
];

const DOWN = [
  `LOCK TABLE message_logs IN SHARE ROW EXCLUSIVE MODE`,
  ...COUNTERS(),
  // Merges the rows of the same day and status.
  `INSERT INTO message_count_changes SELECT * FROM message_counts WHERE channel <> 'email'`,
  `DELETE FROM message_counts WHERE channel <> 'email'`,
  `ALTER TABLE message_counts DROP CONSTRAINT pk_message_counts, DROP channel,
    ADD CONSTRAINT pk_message_counts PRIMARY KEY (account_id, day, api_key_id, campaign_id, status)`,
  `ALTER TABLE message_count_changes DROP channel`,
  `DROP INDEX ix_message_logs_sms`,
  `DROP TABLE sms_opted_out_numbers`,
  `DROP TABLE sms_opt_out_syncs`,
  `DROP TABLE sms_standings`,
  `DELETE FROM delivery_pauses WHERE channel <> 'email'`,
  `ALTER TABLE delivery_pauses DROP CONSTRAINT pk_delivery_pauses, DROP channel,
    ADD CONSTRAINT pk_delivery_pauses PRIMARY KEY (account_id)`,
  `ALTER TABLE accounts DROP sms`,
];
