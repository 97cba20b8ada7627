import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports of CSV files, whose bytes wait here for any worker; addresses that are blocked and no longer known. */
export class ImportAndEraseContacts1795282000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  /** Without their hashes the entries of erased addresses block nobody, and nobody can tell whom they did. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE contact_imports (
    id ${ID} NOT NULL CONSTRAINT pk_contact_imports PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_contact_imports_account REFERENCES accounts (id) ON DELETE CASCADE,
    state text NOT NULL,
    mapping jsonb,
    list_id ${ID},
    dry_run boolean NOT NULL DEFAULT false,
    total integer,
    processed integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    updated integer NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    errors jsonb NOT NULL DEFAULT '[]',
    error text,
    attempts smallint NOT NULL DEFAULT 0,
    claim_id ${ID},
    lease_ends_at timestamptz,
    created_at timestamptz NOT NULL,
    finished_at timestamptz
  )`,
  `CREATE INDEX ix_contact_imports_account ON contact_imports (account_id, id)`,
  `CREATE INDEX ix_contact_imports_unfinished ON contact_imports (account_id, id) WHERE finished_at IS NULL`,
  // One import of an account at a time.
  `CREATE UNIQUE INDEX uq_contact_imports_running ON contact_imports (account_id) WHERE state = 'running'`,
  `CREATE TABLE contact_import_chunks (
    import_id ${ID} NOT NULL CONSTRAINT fk_contact_import_chunks_import REFERENCES contact_imports (id) ON DELETE CASCADE,
    number integer NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT pk_contact_import_chunks PRIMARY KEY (import_id, number)
  )`,
  // A clause of the column would need PostgreSQL 16.
  `ALTER TABLE contact_import_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`,

  `ALTER TABLE suppressions ALTER COLUMN address DROP NOT NULL`,
  `ALTER TABLE suppressions ADD COLUMN address_hash bytea`,
  `ALTER TABLE suppressions ADD CONSTRAINT ck_suppressions_address CHECK ((address IS NULL) = (address_hash IS NOT NULL))`,
  `CREATE UNIQUE INDEX uq_suppressions_address_hash ON suppressions (account_id, channel, address_hash)
    WHERE address_hash IS NOT NULL`,
  `CREATE FUNCTION impersonal_event_data(data jsonb) RETURNS jsonb IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(data)
    WHERE key IN ('attempt', 'automated', 'bounceType', 'bounceSubType', 'feedbackType') $$`,
  // What is being erased: looked for once more after what was on its way has arrived.
  `CREATE TABLE contact_erasures (
    contact_id ${ID} NOT NULL CONSTRAINT pk_contact_erasures PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_contact_erasures_account REFERENCES accounts (id) ON DELETE CASCADE,
    sealed_email text NOT NULL,
    due_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_contact_erasures_due ON contact_erasures (due_at)`,
];

const DOWN = [
  `DROP TABLE contact_erasures`,
  `DROP FUNCTION impersonal_event_data`,
  `DROP INDEX uq_suppressions_address_hash`,
  `DELETE FROM suppressions WHERE address IS NULL`,
  `ALTER TABLE suppressions DROP CONSTRAINT ck_suppressions_address`,
  `ALTER TABLE suppressions DROP COLUMN address_hash`,
  `ALTER TABLE suppressions ALTER COLUMN address SET NOT NULL`,
  `DROP TABLE contact_import_chunks`,
  `DROP TABLE contact_imports`,
];
