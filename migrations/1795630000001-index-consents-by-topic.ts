import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has subscribed to a topic or unsubscribed from it: found without reading the records of other topics. */
export class IndexConsentsByTopic1795630000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_consent_records_topic ON consent_records (account_id, topic_id, id)
        WHERE topic_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_consent_records_topic`);
  }
}
