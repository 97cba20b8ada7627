import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contacts and lists. The row of a contact holds its tags and lists, so that a batch is compared and written as whole
 * rows. Triggers maintain the same pairs in separate tables, in the order in which filters read them.
 */
export class KeepContacts1795280000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';
/** For index-only scans by counts, where the table is vacuumed. */
const STORAGE = 'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05';

/** Adds the pairs of `rows` to the table; for changed rows only the new pairs. */
const addPairs = (table: string, column: string, rows: string, unless = 'false') => `
  INSERT INTO ${table} SELECT ${table === 'contact_tags' ? 'c.account_id, ' : ''}pair.value, c.id
    FROM ${rows} CROSS JOIN unnest(c.${column}) AS pair (value) WHERE NOT (${unless})`;

const dropPairs = (table: string, column: string, key: string, rows: string, unless = 'false') => `
  DELETE FROM ${table} t USING ${rows} CROSS JOIN unnest(c.${column}) AS pair (value)
    WHERE NOT (${unless}) AND t.${key} = pair.value AND t.contact_id = c.id
      ${table === 'contact_tags' ? 'AND t.account_id = c.account_id' : ''}`;

const CHANGED = (column: string) => `o.${column} = c.${column} OR pair.value = ANY (o.${column})`;
const AFTER = 'after c JOIN before o ON o.id = c.id';
const BEFORE = 'before c JOIN after o ON o.id = c.id';

/** Planned on each call: a plan for thousands of rows does not suit one. */
const trigger = (name: string, event: string, tables: string, ...statements: string[]) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
    BEGIN ${statements.map((statement) => `${statement};`).join('')}
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON contacts REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
];

const UP = [
  `CREATE TABLE lists (
    id ${ID} NOT NULL CONSTRAINT pk_lists PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_lists_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    normalised_name text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT uq_lists_account_name UNIQUE (account_id, normalised_name)
  )`,
  `CREATE INDEX ix_lists_account ON lists (account_id, id)`,
  // list_ids may hold ids of deleted lists: readers ignore them, and the next change of the lists drops them.
  `CREATE TABLE contacts (
    id ${ID} NOT NULL CONSTRAINT pk_contacts PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_contacts_account REFERENCES accounts (id) ON DELETE CASCADE,
    email text NOT NULL,
    normalised_email ${ID} NOT NULL,
    first_name text,
    last_name text,
    company text,
    tags text[] COLLATE "C" NOT NULL,
    status text NOT NULL,
    list_ids text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT uq_contacts_account_email UNIQUE (account_id, normalised_email)
  ) WITH (${STORAGE})`,
  `CREATE INDEX ix_contacts_account ON contacts (account_id, id)`,
  `CREATE INDEX ix_contacts_account_status ON contacts (account_id, status, id)`,
  `CREATE FUNCTION contact_search_text(email text, first_name text, last_name text, company text) RETURNS text
    IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
    $$ SELECT lower(email || E'\\n' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || E'\\n' || coalesce(company, '')) $$`,
  `CREATE INDEX ix_contacts_search ON contacts
    USING gin (account_id, contact_search_text(email, first_name, last_name, company) gin_trgm_ops)`,

  `CREATE TABLE contact_tags (
    account_id ${ID} NOT NULL,
    tag ${ID} NOT NULL,
    contact_id ${ID} NOT NULL,
    CONSTRAINT pk_contact_tags PRIMARY KEY (account_id, tag, contact_id)
  ) WITH (${STORAGE})`,
  `CREATE TABLE list_members (
    list_id ${ID} NOT NULL,
    contact_id ${ID} NOT NULL,
    CONSTRAINT pk_list_members PRIMARY KEY (list_id, contact_id)
  ) WITH (${STORAGE})`,
  ...trigger(
    'contacts_inserted',
    'INSERT',
    'NEW TABLE AS added',
    addPairs('contact_tags', 'tags', 'added c'),
    addPairs('list_members', 'list_ids', 'added c'),
  ),
  ...trigger(
    'contacts_updated',
    'UPDATE',
    'OLD TABLE AS before NEW TABLE AS after',
    dropPairs('contact_tags', 'tags', 'tag', BEFORE, CHANGED('tags')),
    addPairs('contact_tags', 'tags', AFTER, CHANGED('tags')),
    dropPairs('list_members', 'list_ids', 'list_id', BEFORE, CHANGED('list_ids')),
    addPairs('list_members', 'list_ids', AFTER, CHANGED('list_ids')),
  ),
  ...trigger(
    'contacts_deleted',
    'DELETE',
    'OLD TABLE AS removed',
    dropPairs('contact_tags', 'tags', 'tag', 'removed c'),
    dropPairs('list_members', 'list_ids', 'list_id', 'removed c'),
  ),
];

const DOWN = [
  `DROP TABLE contacts`,
  `DROP FUNCTION contacts_inserted`,
  `DROP FUNCTION contacts_updated`,
  `DROP FUNCTION contacts_deleted`,
  `DROP FUNCTION contact_search_text`,
  `DROP TABLE contact_tags`,
  `DROP TABLE list_members`,
  `DROP TABLE lists`,
];
