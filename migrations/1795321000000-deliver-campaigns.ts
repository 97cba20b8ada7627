import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the delivery of campaigns needs: content that all messages of a campaign share, with the values of placeholders
 * per message, pending deliveries that belong to a campaign, the campaigns' share of the daily cap, and the campaign
 * that a suppression came from.
 */
export class DeliverCampaigns1795321000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE campaign_contents (
    campaign_id ${ID} NOT NULL CONSTRAINT pk_campaign_contents PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_campaign_contents_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    subject text NOT NULL,
    html text,
    text text,
    variables jsonb NOT NULL,
    frozen_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_campaign_contents_account ON campaign_contents (account_id)`,
  // Set for messages of campaigns only; their html and text are null.
  `ALTER TABLE message_contents ADD placeholders jsonb`,
  // Set for messages of campaigns only: such a message may be accepted long after its id was assigned.
  `ALTER TABLE pending_deliveries ADD campaign_id ${ID}, ADD accepted_at timestamptz`,
  `CREATE INDEX ix_pending_deliveries_campaign ON pending_deliveries (account_id, campaign_id, next_attempt_at)
    WHERE campaign_id IS NOT NULL`,
  `ALTER TABLE accounts ADD campaign_cap_share smallint NOT NULL DEFAULT 90`,
  `ALTER TABLE suppressions ADD campaign_id ${ID}`,
  `CREATE INDEX ix_suppressions_campaign ON suppressions (account_id, campaign_id) WHERE campaign_id IS NOT NULL`,
];

const DOWN = [
  `DROP INDEX ix_suppressions_campaign`,
  `ALTER TABLE suppressions DROP campaign_id`,
  `ALTER TABLE accounts DROP campaign_cap_share`,
  `DROP INDEX ix_pending_deliveries_campaign`,
  `ALTER TABLE pending_deliveries DROP campaign_id, DROP accepted_at`,
  `ALTER TABLE message_contents DROP placeholders`,
  `DROP TABLE campaign_contents`,
];
