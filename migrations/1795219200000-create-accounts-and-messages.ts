import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids are compared byte by byte (COLLATE "C"), because they sort by time: message_logs, message_contents and
 * email_events are partitioned by the month in the message id. The service creates the partitions ahead of time. Tables
 * on the path of every message have no foreign keys: their rows are written with checked ids and dropped with their
 * partition.
 */
export class CreateAccountsAndMessages1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ACCOUNTS, ...MESSAGES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  'schedule_runs',
  'email_events',
  'message_contents',
  'message_logs',
  'pending_deliveries',
  'daily_usage',
  'suppressions',
  'templates',
  'senders',
  'domains',
  'api_keys',
  'login_throttles',
  'users',
  'accounts',
];

const ID = 'text COLLATE "C"';

const ACCOUNTS = [
  `CREATE TABLE accounts (
    id ${ID} NOT NULL CONSTRAINT pk_accounts PRIMARY KEY,
    name text NOT NULL,
    daily_send_cap integer NOT NULL DEFAULT 1000,
    email_provider text NOT NULL DEFAULT 'smtp',
    smtp jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE TABLE users (
    id ${ID} NOT NULL CONSTRAINT pk_users PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_users_account REFERENCES accounts (id) ON DELETE CASCADE,
    email text NOT NULL,
    normalised_email text NOT NULL CONSTRAINT uq_users_normalised_email UNIQUE,
    password_hash text NOT NULL,
    role text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_users_account ON users (account_id, id)`,
  `CREATE TABLE login_throttles (
    address text NOT NULL CONSTRAINT pk_login_throttles PRIMARY KEY,
    failures integer NOT NULL,
    window_ends_at timestamptz NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id ${ID} NOT NULL CONSTRAINT pk_api_keys PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_api_keys_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT uq_api_keys_secret_hash UNIQUE,
    scopes text[] NOT NULL,
    ip_allowlist text[] NOT NULL,
    daily_limit integer,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_api_keys_account ON api_keys (account_id, id)`,
  `CREATE TABLE domains (
    id ${ID} NOT NULL CONSTRAINT pk_domains PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_domains_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    dkim_status text NOT NULL DEFAULT 'pending',
    spf_status text NOT NULL DEFAULT 'pending',
    mail_from_status text NOT NULL DEFAULT 'pending',
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_domains_account_name UNIQUE (account_id, name)
  )`,
  `CREATE TABLE senders (
    id ${ID} NOT NULL CONSTRAINT pk_senders PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_senders_account REFERENCES accounts (id) ON DELETE CASCADE,
    email text NOT NULL,
    normalised_email text NOT NULL,
    status text NOT NULL,
    token_hash bytea CONSTRAINT uq_senders_token_hash UNIQUE,
    token_expires_at timestamptz,
    verified_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_senders_account_email UNIQUE (account_id, normalised_email)
  )`,
  `CREATE TABLE templates (
    id ${ID} NOT NULL CONSTRAINT pk_templates PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_templates_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    subject text NOT NULL,
    html text,
    text text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_templates_account ON templates (account_id, id)`,
  `CREATE TABLE suppressions (
    id ${ID} NOT NULL CONSTRAINT pk_suppressions PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_suppressions_account REFERENCES accounts (id) ON DELETE CASCADE,
    channel text NOT NULL,
    address text NOT NULL,
    reason text NOT NULL,
    source text NOT NULL,
    note text,
    message_log_id ${ID},
    contact_id ${ID},
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_suppressions_account_channel_address UNIQUE (account_id, channel, address)
  )`,
  `CREATE INDEX ix_suppressions_account ON suppressions (account_id, id)`,
];

const MESSAGES = [
  `CREATE TABLE daily_usage (
    subject_id ${ID} NOT NULL,
    day date NOT NULL,
    used integer NOT NULL,
    CONSTRAINT pk_daily_usage PRIMARY KEY (subject_id, day)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE message_logs (
    id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    channel text NOT NULL,
    status text NOT NULL,
    recipient text NOT NULL,
    normalised_recipient text NOT NULL,
    sender text NOT NULL,
    sender_name text,
    reply_to text,
    subject text,
    template_id ${ID},
    provider text,
    provider_message_id text,
    api_key_id ${ID},
    contact_id ${ID},
    campaign_id ${ID},
    segments smallint,
    encoding text,
    opens integer NOT NULL DEFAULT 0,
    clicks integer NOT NULL DEFAULT 0,
    error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    CONSTRAINT pk_message_logs PRIMARY KEY (id)
  ) PARTITION BY RANGE (id)`,
  `CREATE TABLE message_contents (
    message_id ${ID} NOT NULL,
    html text,
    text text,
    unsubscribe_url text,
    CONSTRAINT pk_message_contents PRIMARY KEY (message_id)
  ) PARTITION BY RANGE (message_id)`,
  `CREATE TABLE email_events (
    message_id ${ID} NOT NULL,
    id ${ID} NOT NULL,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    recipient text,
    data jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT pk_email_events PRIMARY KEY (message_id, id)
  ) PARTITION BY RANGE (message_id)`,
  // One short-lived row per message that is not final yet, so that claims and sweeps never scan the log.
  `CREATE TABLE pending_deliveries (
    message_id ${ID} NOT NULL CONSTRAINT pk_pending_deliveries PRIMARY KEY,
    account_id ${ID} NOT NULL,
    channel text NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    sweep_at timestamptz NOT NULL,
    claim_id ${ID},
    lease_ends_at timestamptz
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX ix_pending_deliveries_sweep ON pending_deliveries (sweep_at)`,
  `CREATE TABLE schedule_runs (
    name text NOT NULL,
    bucket timestamptz NOT NULL,
    CONSTRAINT pk_schedule_runs PRIMARY KEY (name, bucket)
  )`,
];
