import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who agreed to what, and who took it back. Records are appended and never changed: a trigger refuses everything but
 * the erasure of a person, which has a function of its own. The address of a record is the normalised one or, once it
 * has been erased, its hash in hexadecimal. Partitions are made by the service, ahead of time, and are never dropped.
 */
export class KeepConsents1795530000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';
const ERASABLE = `ARRAY['address', 'given_address', 'ip', 'user_agent', 'evidence']`;

const UP = [
  `CREATE TABLE consent_records (
    id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    channel text NOT NULL,
    address ${ID} NOT NULL,
    given_address text,
    contact_id ${ID},
    purpose text NOT NULL,
    topic_id ${ID},
    action text NOT NULL,
    source text NOT NULL,
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    wording_version integer,
    wording_text text,
    form_id ${ID},
    ip text,
    user_agent text,
    message_log_id ${ID},
    evidence text,
    actor_type text NOT NULL,
    actor_id ${ID},
    CONSTRAINT pk_consent_records PRIMARY KEY (id)
  ) PARTITION BY RANGE (id)`,
  `CREATE INDEX ix_consent_records_account ON consent_records (account_id, id)`,
  `CREATE INDEX ix_consent_records_address ON consent_records (account_id, channel, address, id)`,
  // Of an address for a purpose, and for a topic or, with an empty one, for all topics without a later row of their own.
  `CREATE TABLE standing_consents (
    account_id ${ID} NOT NULL CONSTRAINT fk_standing_consents_account REFERENCES accounts (id) ON DELETE CASCADE,
    channel text NOT NULL,
    address ${ID} NOT NULL,
    purpose text NOT NULL,
    topic_id ${ID} NOT NULL,
    state text NOT NULL,
    occurred_at timestamptz NOT NULL,
    consent_id ${ID} NOT NULL,
    CONSTRAINT pk_standing_consents PRIMARY KEY (account_id, channel, address, purpose, topic_id)
  ) WITH (fillfactor = 90)`,
  `CREATE FUNCTION keep_consent_record() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE callers text;
  BEGIN
    GET DIAGNOSTICS callers = PG_CONTEXT;
    IF TG_OP = 'UPDATE' AND callers LIKE '%erase_consent_records(text,text,text,text,integer)%'
      AND NEW.address ~ '^[0-9a-f]{64}$'
      AND coalesce(NEW.given_address, NEW.ip, NEW.user_agent, NEW.evidence) IS NULL
      AND to_jsonb(NEW) - ${ERASABLE} = to_jsonb(OLD) - ${ERASABLE} THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'consent records are never changed' USING ERRCODE = 'restrict_violation';
  END $$`,
  `CREATE TRIGGER keep_consent_record BEFORE UPDATE OR DELETE ON consent_records
    FOR EACH ROW EXECUTE FUNCTION keep_consent_record()`,
  `CREATE TRIGGER keep_consent_records BEFORE TRUNCATE ON consent_records
    FOR EACH STATEMENT EXECUTE FUNCTION keep_consent_record()`,
  `CREATE FUNCTION erase_consent_records(of_account text, of_channel text, known text, hash text, at_most integer)
  RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE erased integer;
  BEGIN
    UPDATE consent_records r
    SET address = hash, given_address = NULL, ip = NULL, user_agent = NULL, evidence = NULL
    WHERE r.account_id = of_account AND r.id IN (
      SELECT e.id FROM consent_records e
      WHERE e.account_id = of_account AND e.channel = of_channel AND e.address = known ORDER BY e.id LIMIT at_most);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
  END $$`,
  `ALTER TABLE accounts ADD consent_required_for text NOT NULL DEFAULT 'none'`,
  `ALTER TABLE campaigns ADD skipped_no_consent integer NOT NULL DEFAULT 0`,
  // Who uploaded the file: the actor of the consents in it.
  `ALTER TABLE contact_imports ADD user_id ${ID}`,
];

const DOWN = [
  `ALTER TABLE contact_imports DROP user_id`,
  `ALTER TABLE campaigns DROP skipped_no_consent`,
  `ALTER TABLE accounts DROP consent_required_for`,
  `DROP FUNCTION erase_consent_records`,
  `DROP TABLE standing_consents`,
  `DROP TABLE consent_records`,
  `DROP FUNCTION keep_consent_record`,
];
