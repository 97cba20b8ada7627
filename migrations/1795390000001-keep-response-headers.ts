import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The headers of the responses to webhook attempts. The type is json, not jsonb, to keep their order. Null for earlier
 * attempts and for those without a response.
 */
export class KeepResponseHeaders1795390000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts ADD response_headers json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts DROP response_headers');
  }
}
