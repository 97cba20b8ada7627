import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which campaign people have left topics. */
export class CountTopicsLeft1795620000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consent_records ADD campaign_id text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consent_records DROP campaign_id');
  }
}
