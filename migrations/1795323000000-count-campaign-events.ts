import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of the events of campaigns by hour, and the changes that are still to be added to them. */
export class CountCampaignEvents1795323000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const COUNTED = `
    account_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    hour timestamptz NOT NULL,
    type text NOT NULL,
    events integer NOT NULL`;

const UP = [
  `CREATE TABLE campaign_activity (${COUNTED},
    CONSTRAINT pk_campaign_activity PRIMARY KEY (account_id, campaign_id, hour, type)
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE campaign_activity_changes (${COUNTED}
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `CREATE INDEX ix_campaign_activity_changes ON campaign_activity_changes (account_id, campaign_id)`,
];

const DOWN = [`DROP TABLE campaign_activity_changes`, `DROP TABLE campaign_activity`];
