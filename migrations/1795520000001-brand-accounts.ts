import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The logo and the color of the account's public pages. */
export class BrandAccounts1795520000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD logo_url text, ADD brand_color text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP brand_color, DROP logo_url');
  }
}
