import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The contacts of an audience that is being written, as they were selected when the campaign started. */
export class SelectAudiences1795322000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE campaign_audience_portions (
      campaign_id ${ID} NOT NULL
        CONSTRAINT fk_campaign_audience_portions_campaign REFERENCES campaigns (id) ON DELETE CASCADE,
      last_contact_id ${ID} NOT NULL,
      contact_ids text[] COLLATE "C" NOT NULL,
      CONSTRAINT pk_campaign_audience_portions PRIMARY KEY (campaign_id, last_contact_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE campaign_audience_portions`);
  }
}

const ID = 'text COLLATE "C"';
