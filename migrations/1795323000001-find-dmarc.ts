import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The DMARC record that was last found for a domain. */
export class FindDmarc1795323000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains ADD dmarc jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP dmarc');
  }
}
