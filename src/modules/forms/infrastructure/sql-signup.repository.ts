import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../concurrency/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { leaseEnd } from '../../../platform/database/lease.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { firstId } from '../../../shared/ids.js';
import { profileOf } from '../../accounts/index.js';
import { type OpenSignup, SignupRepository } from '../application/ports/signup.repository.js';
import type { Signup, WordedSignup } from '../domain/signup.js';

const LEASE_MS = 60_000;

@Injectable()
export class SqlSignupRepository extends SignupRepository {
  private readonly adds = new Batcher<Signup, null>((signups) => this.addAll(signups), { faults: POSTGRES_FAULTS });

  constructor(private readonly database: Database) {
    super();
  }

  async add(signup: Signup): Promise<void> {
    await this.adds.add(signup);
  }

  claimDueAcrossAccounts(
    now: Date,
    { accounts, perAccount }: { accounts: number; perAccount: number },
  ): Promise<WordedSignup[]> {
    return this.database.prepared<WordedSignup>('claim_due_signups', CLAIM_DUE, [now, accounts, perAccount]);
  }

  async admit({ accountId, id, formId }: WordedSignup): Promise<void> {
    const [admitted] = await this.database.query(ADMIT, [accountId, id]);
    if (admitted) await this.database.query(COUNT_SUBMITTED, [accountId, formId]);
  }

  async drop({ accountId, id, state, formId }: WordedSignup): Promise<void> {
    const [dropped] = await this.database.query(REMOVE, [accountId, id, state]);
    if (dropped) await this.database.query(COUNT_SUBMITTED, [accountId, formId]);
  }

  async recordMailed({ accountId, id }: WordedSignup, messageLogId: string | null): Promise<void> {
    await this.database.query(RECORD_MAILED, [accountId, id, messageLogId]);
  }

  async finish({ accountId, id, state }: WordedSignup): Promise<void> {
    await this.database.query(SET_DUE, [accountId, id, state, null]);
  }

  async postpone({ accountId, id, state }: WordedSignup, until: Date): Promise<void> {
    await this.database.query(SET_DUE, [accountId, id, state, until]);
  }

  async postponeAll(accountId: string, now: Date, until: Date): Promise<void> {
    await this.database.changeInBatches('form_signups', 'UPDATE form_signups SET due_at = $3', IS_DUE_OR_CLAIMED, [
      ...[accountId, new Date(now.getTime() + 2 * LEASE_MS), until],
    ]);
  }

  async remove({ accountId, id, state }: WordedSignup): Promise<void> {
    await this.database.query(REMOVE, [accountId, id, state]);
  }

  findByIds(accountId: string, ids: readonly string[], lock?: 'lock'): Promise<OpenSignup[]> {
    return this.database.query<OpenSignup>(lock ? `${FIND_BY_IDS} FOR UPDATE OF s` : FIND_BY_IDS, [accountId, ids]);
  }

  async recordConfirmed(accountId: string, signups: readonly OpenSignup[], now: Date): Promise<void> {
    if (signups.length === 0) return;
    const welcomed = signups.filter(({ form }) => form.welcomeTemplateId !== null);
    await this.database.query(RECORD_CONFIRMED, [
      accountId,
      signups.map(({ id }) => id),
      welcomed.map(({ id }) => id),
      now,
    ]);
    await this.database.query(COUNT_CONFIRMED, [accountId, signups.map(({ formId }) => formId)]);
  }

  async purgeAcrossAccounts(before: Date): Promise<void> {
    // A welcome mail that is still due has limits of its own.
    const isOver = `id < $1 AND (state <> 'confirmed' OR due_at IS NULL)`;
    await this.database.deleteInBatches('form_signups', isOver, [firstId(before)]);
    await this.database.deleteInBatches('form_signups', HAS_NO_FORM);
  }

  private async addAll(signups: readonly Signup[]): Promise<null[]> {
    await this.database.prepared('add_signups', ADD, [JSON.stringify(signups)]);
    return signups.map(() => null);
  }
}

const FIELDS = `s.id, s.account_id AS "accountId", s.form_id AS "formId", s.wording_version AS "wordingVersion", s.email,
  s.normalised_email AS "normalisedEmail", s.first_name AS "firstName", s.last_name AS "lastName", s.company, s.language,
  s.ip, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.state, s.confirmed_at AS "confirmedAt",
  w.text AS wording, w.topic_ids AS "topicIds"`;
const WITH_WORDING = `JOIN form_wordings w
    ON w.account_id = s.account_id AND w.form_id = s.form_id AND w.version = s.wording_version`;

/**
 * A form that was deleted meanwhile gets no more sign-ups, and one that never had the version gets those of its current
 * one. The statement serves many accounts, so it waits for no lock of a form.
 */
const ADD = `
  INSERT INTO form_signups (id, account_id, form_id, wording_version, email, normalised_email, first_name, last_name,
    company, language, ip, user_agent, created_at, state, due_at)
  SELECT a.id, a."accountId", f.id, coalesce(w.version, f.wording_version), a.email, a."normalisedEmail", a."firstName", a."lastName",
    a.company, a.language, a.ip, a."userAgent", a."createdAt", 'received', a."createdAt"
  FROM json_to_recordset($1::json) AS a (id text, "accountId" text, "formId" text, "wordingVersion" integer, email text,
    "normalisedEmail" text, "firstName" text, "lastName" text, company text, language text, ip text, "userAgent" text,
    "createdAt" timestamptz)
  JOIN forms f ON f.id = a."formId" AND f.account_id = a."accountId"
  LEFT JOIN form_wordings w
    ON w.account_id = f.account_id AND w.form_id = f.id AND w.version = a."wordingVersion"`;

/**
 * $1 now, $2 the number of accounts, $3 the limit for each. Skips from account to account along the index (loose scan),
 * so the sign-ups of one account, however many, delay no other; none is preferred. Waits for no lock.
 */
const CLAIM_DUE = `
  WITH RECURSIVE waiting (account_id) AS (
    (SELECT s.account_id FROM form_signups s WHERE s.due_at IS NOT NULL ORDER BY s.account_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT s.account_id FROM form_signups s
      WHERE s.due_at IS NOT NULL AND s.account_id > w.account_id ORDER BY s.account_id LIMIT 1)
    FROM waiting w WHERE w.account_id IS NOT NULL
  ), served AS MATERIALIZED (
    SELECT w.account_id FROM waiting w
    WHERE EXISTS (SELECT FROM form_signups s WHERE s.account_id = w.account_id AND s.due_at <= $1)
    ORDER BY random() LIMIT $2
  ), claimed AS (
    UPDATE form_signups SET due_at = ${leaseEnd(LEASE_MS)}
    WHERE id = ANY (ARRAY(
      SELECT d.id FROM served CROSS JOIN LATERAL (
        SELECT s.id FROM form_signups s WHERE s.account_id = served.account_id AND s.due_at <= $1
        ORDER BY s.due_at LIMIT $3 FOR UPDATE SKIP LOCKED) d))
    RETURNING *
  )
  SELECT ${FIELDS} FROM claimed s ${WITH_WORDING} ORDER BY s.id`;

const ADMIT = `
  UPDATE form_signups SET state = 'admitted' WHERE account_id = $1 AND id = $2 AND state = 'received' RETURNING id`;

/** The person may have confirmed since the sign-up was claimed. */
const IS_UNCHANGED = 'account_id = $1 AND id = $2 AND state = $3';

const REMOVE = `DELETE FROM form_signups WHERE ${IS_UNCHANGED} RETURNING id`;

const COUNT_SUBMITTED = `UPDATE forms SET submitted = submitted + 1 WHERE account_id = $1 AND id = $2`;

const RECORD_MAILED = `
  UPDATE form_signups SET state = 'mailed', message_log_id = $3, due_at = NULL
  WHERE account_id = $1 AND id = $2 AND state = 'admitted'`;

/** $1 account, $2 the latest end of a claim. */
const IS_DUE_OR_CLAIMED = 'account_id = $1 AND due_at <= $2';

/** A form is removed before its sign-ups are. */
const HAS_NO_FORM = 'NOT EXISTS (SELECT FROM forms f WHERE f.id = form_signups.form_id)';

const SET_DUE = `UPDATE form_signups SET due_at = $4 WHERE ${IS_UNCHANGED}`;

/** Ordered, so that two calls with the same sign-ups lock them in the same order. */
const FIND_BY_IDS = `
  SELECT ${FIELDS}, s.message_log_id AS "messageLogId",
    json_build_object('name', f.name, 'listIds', f.list_ids,
      'topicIds', nullif(coalesce(w.topic_ids, f.topic_ids), '{}'),
      'welcomeTemplateId', f.welcome_template_id, 'confirmedUrl', f.confirmed_url) AS form, ${profileOf('s.account_id')} AS account
  FROM form_signups s
  JOIN forms f ON f.account_id = s.account_id AND f.id = s.form_id
  ${WITH_WORDING}
  WHERE s.account_id = $1 AND s.id = ANY ($2) ORDER BY s.id`;

/** $1 account, $2 ids, $3 those with a welcome mail, $4 now. */
const RECORD_CONFIRMED = `
  UPDATE form_signups SET state = 'confirmed', confirmed_at = $4,
    due_at = CASE WHEN id = ANY ($3) THEN $4::timestamptz END
  WHERE account_id = $1 AND id = ANY ($2)`;

/** Locks the forms in the order of their ids. */
const COUNT_CONFIRMED = `
  WITH counts AS (
    SELECT form_id, count(*)::integer AS count FROM unnest($2::text[]) AS c (form_id) GROUP BY form_id
  ), locked AS (
    SELECT f.id FROM forms f JOIN counts c ON c.form_id = f.id
    WHERE f.account_id = $1 ORDER BY f.id FOR NO KEY UPDATE OF f
  )
  UPDATE forms f SET confirmed = f.confirmed + c.count
  FROM counts c JOIN locked l ON l.id = c.form_id
  WHERE f.account_id = $1 AND f.id = c.form_id`;
