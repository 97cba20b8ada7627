import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-up forms, every version of their wording, and the people who have signed up and were mailed a link. A sign-up is
 * deleted a week after it was made; what was agreed to stays in the records of consent.
 */
export class CreateForms1795540000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['form_signups', 'form_wordings', 'forms']) await runner.query(`DROP TABLE ${table}`);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `CREATE TABLE forms (
    id ${ID} NOT NULL CONSTRAINT pk_forms PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_forms_account REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    list_ids text[] NOT NULL,
    topic_ids text[] NOT NULL,
    fields text[] NOT NULL,
    wording text NOT NULL,
    wording_version integer NOT NULL,
    from_email text NOT NULL,
    from_name text,
    confirmation_subject text NOT NULL,
    confirmation_template_id ${ID},
    welcome_template_id ${ID},
    redirect_url text,
    confirmed_url text,
    allowed_origins text[] NOT NULL,
    challenge text NOT NULL,
    status text NOT NULL,
    submitted integer NOT NULL DEFAULT 0,
    confirmed integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE INDEX ix_forms_account ON forms (account_id, id)`,
  `CREATE TABLE form_wordings (
    form_id ${ID} NOT NULL CONSTRAINT fk_form_wordings_form REFERENCES forms (id) ON DELETE CASCADE,
    account_id ${ID} NOT NULL,
    version integer NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_form_wordings PRIMARY KEY (form_id, version)
  )`,
  `CREATE TABLE form_signups (
    id ${ID} NOT NULL CONSTRAINT pk_form_signups PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_form_signups_account REFERENCES accounts (id) ON DELETE CASCADE,
    form_id ${ID} NOT NULL CONSTRAINT fk_form_signups_form REFERENCES forms (id) ON DELETE CASCADE,
    wording_version integer NOT NULL,
    email text NOT NULL,
    normalised_email text NOT NULL,
    first_name text,
    last_name text,
    company text,
    language text NOT NULL,
    ip text NOT NULL,
    user_agent text,
    state text NOT NULL,
    due_at timestamptz,
    message_log_id ${ID},
    confirmed_at timestamptz,
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX ix_form_signups_due ON form_signups (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX ix_form_signups_account_email ON form_signups (account_id, normalised_email)`,
  `CREATE INDEX ix_form_signups_form ON form_signups (form_id)`,
];
