import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For reading messages: indexes by id within account and key, each with and without a status; the searchable text,
 * apart from the log so that updates of a message do not touch its trigrams; counts by day.
 *
 * Triggers maintain texts and counts with every statement that writes messages, at low cost: they record which texts
 * are new and how counts change, in rows that no two writers wait for. A schedule merges these rows, and readers add
 * those that are not merged yet. A message is `sending` while its pending delivery is leased: claims do not write to
 * the log.
 */
export class IndexMessages1795240800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const extension of EXTENSIONS) await ensureExtension(runner, extension);
    for (const statement of UP) await runner.query(statement);
  }

  /** Keeps the extensions, which something else may use. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** Trigram search in one index with the account, so that a search does not scan the texts of other accounts. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'];

async function ensureExtension(runner: QueryRunner, name: string): Promise<void> {
  try {
    await runner.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
  } catch (error) {
    throw new Error(
      `The search for messages needs PostgreSQL's extension ${name}, which could not be created: ${(error as Error).message}. ` +
        `Have an administrator install PostgreSQL's "contrib" extensions if they are missing and run ` +
        `"CREATE EXTENSION ${name};" in this database, then start again.`,
      { cause: error },
    );
  }
}

const ID = 'text COLLATE "C"';

const COUNTED = `messages integer NOT NULL,
    opened integer NOT NULL,
    opens integer NOT NULL,
    clicked integer NOT NULL,
    clicks integer NOT NULL`;

const COUNTS = (rows: string, by: string) => `
  SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(api_key_id, ''), coalesce(campaign_id, ''), status,
    sum(${by}), sum(${by} * (opens > 0)::integer), sum(${by} * opens), sum(${by} * (clicks > 0)::integer), sum(${by} * clicks)
  FROM ${rows} AS written GROUP BY 1, 2, 3, 4, 5`;

const UP = [
  `LOCK TABLE message_logs, pending_deliveries IN SHARE ROW EXCLUSIVE MODE`,
  `UPDATE message_logs SET status = 'queued' WHERE status = 'sending'`,
  `CREATE INDEX ix_message_logs_account ON message_logs (account_id, id)`,
  `CREATE INDEX ix_message_logs_account_status ON message_logs (account_id, status, id)`,
  `CREATE INDEX ix_message_logs_key ON message_logs (account_id, api_key_id, id)`,
  `CREATE INDEX ix_message_logs_key_status ON message_logs (account_id, api_key_id, status, id)`,
  // The messages being sent: a few rows, however long the queue is.
  `CREATE INDEX ix_pending_deliveries_leased ON pending_deliveries (account_id, message_id) WHERE lease_ends_at IS NOT NULL`,
  `CREATE INDEX ix_message_logs_campaign ON message_logs (account_id, campaign_id, id) WHERE campaign_id IS NOT NULL`,

  `CREATE FUNCTION message_search_text(recipient text, sender text, subject text) RETURNS text IMMUTABLE PARALLEL SAFE
    LANGUAGE sql AS $$ SELECT lower(recipient || E'\\n' || sender || E'\\n' || coalesce(subject, '')) $$`,
  `CREATE TABLE message_search_texts (
    message_id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    text text NOT NULL
  ) PARTITION BY RANGE (message_id)`,
  // The schedule that inserts also flushes GIN's pending list. Beyond this limit, in kB, an insertion would have to do
  // so.
  `CREATE INDEX ix_message_search_texts ON message_search_texts USING gin (account_id, text gin_trgm_ops)
    WITH (gin_pending_list_limit = 131072)`,
  `DO $$
    DECLARE month record;
    BEGIN
      FOR month IN
        SELECT c.relname AS log, replace(c.relname, 'message_logs', 'message_search_texts') AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'message_logs'::regclass AND NOT i.inhdetachpending
      LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF message_search_texts %s', month.name, month.bounds);
        EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.05)', month.name);
        EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.05)', month.log);
      END LOOP;
    END $$`,
  `INSERT INTO message_search_texts SELECT id, account_id, message_search_text(recipient, sender, subject) FROM message_logs`,
  `CREATE TABLE message_search_backlog (
    account_id ${ID} NOT NULL,
    message_ids text[] COLLATE "C" NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `CREATE VIEW message_search_waiting AS
    SELECT m.id AS message_id, m.account_id, message_search_text(m.recipient, m.sender, m.subject) AS text
    FROM message_search_backlog b CROSS JOIN LATERAL unnest(b.message_ids) AS listed (id)
    JOIN message_logs m ON m.id = listed.id AND m.account_id = b.account_id`,
  // All searchable texts: those in the index, and those not merged yet.
  `CREATE VIEW message_searches AS
    SELECT message_id, account_id, text FROM message_search_texts UNION ALL SELECT * FROM message_search_waiting`,

  // A missing key or campaign is ''.
  `CREATE TABLE message_counts (
    account_id ${ID} NOT NULL,
    day date NOT NULL,
    api_key_id ${ID} NOT NULL,
    campaign_id ${ID} NOT NULL,
    status text NOT NULL,
    ${COUNTED},
    CONSTRAINT pk_message_counts PRIMARY KEY (account_id, day, api_key_id, campaign_id, status)
  )`,
  `CREATE INDEX ix_message_counts_campaign ON message_counts (account_id, campaign_id) WHERE campaign_id <> ''`,
  `CREATE TABLE message_count_changes (
    account_id ${ID} NOT NULL,
    day date NOT NULL,
    api_key_id ${ID} NOT NULL,
    campaign_id ${ID} NOT NULL,
    status text NOT NULL,
    ${COUNTED}
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `INSERT INTO message_counts ${COUNTS('message_logs', '1')}`,

  `CREATE FUNCTION message_logs_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_search_backlog SELECT account_id, array_agg(id)
        FROM (SELECT account_id, id, row_number() OVER (PARTITION BY account_id) / 1000 AS portion FROM added) numbered
        GROUP BY account_id, portion;
      INSERT INTO message_count_changes ${COUNTS('added', '1')};
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER message_logs_inserted AFTER INSERT ON message_logs REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION message_logs_inserted()`,
  `CREATE FUNCTION message_logs_updated() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_count_changes ${COUNTS('(SELECT *, -1 AS sign FROM before UNION ALL SELECT *, 1 AS sign FROM after)', 'sign')}
      HAVING (sum(sign), sum(sign * (opens > 0)::integer), sum(sign * opens), sum(sign * (clicks > 0)::integer), sum(sign * clicks))
        <> (0, 0, 0, 0, 0);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER message_logs_updated AFTER UPDATE ON message_logs REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION message_logs_updated()`,
];

const DOWN = [
  `DROP TRIGGER message_logs_updated ON message_logs`,
  `DROP TRIGGER message_logs_inserted ON message_logs`,
  `DROP FUNCTION message_logs_updated`,
  `DROP FUNCTION message_logs_inserted`,
  `DROP TABLE message_count_changes`,
  `DROP TABLE message_counts`,
  `DROP VIEW message_searches`,
  `DROP VIEW message_search_waiting`,
  `DROP TABLE message_search_backlog`,
  `DROP TABLE message_search_texts`,
  `DROP FUNCTION message_search_text`,
  `DROP INDEX ix_message_logs_campaign`,
  `DROP INDEX ix_pending_deliveries_leased`,
  `DROP INDEX ix_message_logs_key_status`,
  `DROP INDEX ix_message_logs_key`,
  `DROP INDEX ix_message_logs_account_status`,
  `DROP INDEX ix_message_logs_account`,
];
