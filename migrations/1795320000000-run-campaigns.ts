import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns and the recipients of each. */
export class RunCampaigns1795320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE campaigns (
    id ${ID} NOT NULL CONSTRAINT pk_campaigns PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_campaigns_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    from_email text NOT NULL,
    from_name text,
    reply_to text,
    subject text,
    html text,
    text text,
    template_id ${ID},
    variables jsonb,
    list_ids text[] COLLATE "C" NOT NULL,
    tags text[] COLLATE "C" NOT NULL,
    exclude_list_ids text[] COLLATE "C" NOT NULL,
    exclude_tags text[] COLLATE "C" NOT NULL,
    scheduled_at timestamptz,
    max_per_minute integer,
    status text NOT NULL,
    pause_reason text,
    waiting_for text,
    content jsonb,
    revision integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    deleted_at timestamptz,
    claim_id ${ID},
    lease_ends_at timestamptz,
    audience_after ${ID} NOT NULL DEFAULT '',
    has_audience boolean NOT NULL DEFAULT false,
    last_message_id ${ID} NOT NULL DEFAULT '',
    fed_up_to ${ID} NOT NULL DEFAULT '',
    paced_until timestamptz,
    recipients integer NOT NULL DEFAULT 0,
    accepted integer NOT NULL DEFAULT 0,
    skipped_suppressed integer NOT NULL DEFAULT 0,
    skipped_deleted integer NOT NULL DEFAULT 0,
    skipped_failed integer NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX ix_campaigns_account ON campaigns (account_id, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX ix_campaigns_active ON campaigns (account_id, status) WHERE status IN ('scheduled', 'running')`,
  `CREATE INDEX ix_campaigns_deleted ON campaigns (id) WHERE deleted_at IS NOT NULL`,
  // Rows are fed in the order of their message ids: up to campaigns.fed_up_to they are accepted, or skipped for the reason.
  `CREATE TABLE campaign_recipients (
    campaign_id ${ID} NOT NULL CONSTRAINT fk_campaign_recipients_campaign REFERENCES campaigns (id) ON DELETE CASCADE,
    message_id ${ID} NOT NULL,
    contact_id ${ID} NOT NULL,
    email text NOT NULL,
    normalised_email ${ID},
    reason text,
    CONSTRAINT pk_campaign_recipients PRIMARY KEY (campaign_id, message_id),
    CONSTRAINT uq_campaign_recipients_address UNIQUE (campaign_id, normalised_email)
  )`,
  `CREATE INDEX ix_campaign_recipients_skipped ON campaign_recipients (campaign_id, message_id) WHERE reason IS NOT NULL`,
];

const DOWN = [`DROP TABLE campaign_recipients`, `DROP TABLE campaigns`];
