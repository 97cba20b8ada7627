import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints, their deliveries and the attempts. */
export class DeliverWebhooks1795270000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE webhook_endpoints (
    id ${ID} NOT NULL CONSTRAINT pk_webhook_endpoints PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_webhook_endpoints_account REFERENCES accounts (id) ON DELETE CASCADE,
    url text NOT NULL,
    events text[] NOT NULL,
    description text,
    sealed_secret text NOT NULL,
    sealed_previous_secret text,
    previous_secret_until timestamptz,
    enabled boolean NOT NULL,
    disabled_reason text,
    disabled_at timestamptz,
    failing_since timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_webhook_endpoints_account ON webhook_endpoints (account_id, id)`,
  // due_at: the time of the next attempt, the end of the lease during an attempt, null when final.
  `CREATE TABLE webhook_deliveries (
    id ${ID} NOT NULL CONSTRAINT pk_webhook_deliveries PRIMARY KEY,
    account_id ${ID} NOT NULL,
    endpoint_id ${ID} NOT NULL CONSTRAINT fk_webhook_deliveries_endpoint REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id ${ID} NOT NULL,
    event text NOT NULL,
    body text NOT NULL,
    state text NOT NULL CONSTRAINT ck_webhook_deliveries_state
      CHECK (state IN ('pending', 'in_progress', 'retrying', 'delivered', 'failed', 'failed_permanent')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz,
    claim_id ${ID},
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    CONSTRAINT uq_webhook_deliveries_event UNIQUE (endpoint_id, event_id)
  )`,
  `CREATE INDEX ix_webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id)`,
  `CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE webhook_attempts (
    delivery_id ${ID} NOT NULL CONSTRAINT fk_webhook_attempts_delivery REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number integer NOT NULL,
    id ${ID} NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer,
    request_headers jsonb,
    status_code smallint,
    error text,
    response_body text,
    CONSTRAINT pk_webhook_attempts PRIMARY KEY (delivery_id, number)
  )`,
];

const DOWN = [`DROP TABLE webhook_attempts`, `DROP TABLE webhook_deliveries`, `DROP TABLE webhook_endpoints`];
