import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Round-robin dispatch of the outbox by account, deliveries by state, and how long an endpoint has been failing. */
export class ServeWebhooksInTurn1795295000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE INDEX ix_outbox_events_account ON outbox_events (account_id, id)`,
  `CREATE INDEX ix_webhook_deliveries_state ON webhook_deliveries (endpoint_id, state, id)`,
  // The times of the first and the last failure in an unbroken series of failed deliveries, to the hour.
  `ALTER TABLE webhook_endpoints ADD undelivered_since timestamptz, ADD last_undelivered_at timestamptz`,
];

const DOWN = [
  `ALTER TABLE webhook_endpoints DROP undelivered_since, DROP last_undelivered_at`,
  `DROP INDEX ix_webhook_deliveries_state`,
  `DROP INDEX ix_outbox_events_account`,
];
