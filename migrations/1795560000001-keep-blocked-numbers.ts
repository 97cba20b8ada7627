import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an operator has blocked the address, whatever else has happened to it: such an entry stays when the person
 * takes an opt-out back. It is not known of entries from before, nor of those of a release that runs beside this one,
 * which stay, too.
 */
export class KeepBlockedNumbers1795560000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressions ADD is_blocked boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressions DROP is_blocked');
  }
}
