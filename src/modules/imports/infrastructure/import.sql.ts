import { IMPORT_LEASE_MS, IMPORT_REPORT_DAYS, MAX_IMPORT_DAYS } from '../../../config/limits.js';
import { leaseEnd, hasExpired } from '../../../platform/database/lease.sql.js';

const LEASE_END = leaseEnd(IMPORT_LEASE_MS);

/** A ContactImport from the row `i`. */
const COLUMNS = `i.id, i.account_id AS "accountId", i.state, i.dry_run AS "dryRun", i.total, i.processed, i.created, i.updated,
  i.skipped, i.failed, i.errors, i.ignored_columns AS "ignoredColumns", i.error, i.created_at AS "createdAt", i.finished_at AS "finishedAt"`;

export const FIND_IMPORT = `SELECT ${COLUMNS} FROM contact_imports i WHERE i.account_id = $1 AND i.id = $2`;

export const COUNT_UNFINISHED = `
  SELECT count(*)::integer AS count FROM contact_imports WHERE account_id = $1 AND finished_at IS NULL`;

export const OPEN_IMPORT = `
  INSERT INTO contact_imports (id, account_id, user_id, state, lease_ends_at, created_at)
  VALUES ($2, $1, $3, 'uploading', $4, $5)`;

/** $5: when the upload is abandoned unless another chunk arrives. */
export const APPEND_CHUNK = `
  WITH uploading AS (
    UPDATE contact_imports SET lease_ends_at = $5 WHERE account_id = $1 AND id = $2 AND state = 'uploading' RETURNING id
  )
  INSERT INTO contact_import_chunks (import_id, number, bytes) SELECT id, $3, $4 FROM uploading`;

export const READ_CHUNK = `
  SELECT c.bytes FROM contact_import_chunks c JOIN contact_imports i ON i.id = c.import_id
  WHERE i.account_id = $1 AND i.id = $2 AND c.number = $3`;

export const QUEUE_IMPORT = `
  UPDATE contact_imports SET state = 'queued', mapping = $3, list_id = $4, dry_run = $5, ignored_columns = $6,
    lease_ends_at = NULL
  WHERE account_id = $1 AND id = $2 AND state = 'uploading'`;

export const DISCARD_IMPORT = `DELETE FROM contact_imports WHERE account_id = $1 AND id = $2 AND state = 'uploading'`;

/**
 * $1 account, $2 new claim id, $3 the time if the clock of the database is steady. A running import comes first, so
 * that no other overtakes it. The outer conditions are checked again after waiting for the row lock, and a unique index
 * prevents two running imports.
 */
export const CLAIM_IMPORT = `
  UPDATE contact_imports i SET state = 'running', claim_id = $2, lease_ends_at = ${LEASE_END}, attempts = i.attempts + 1,
    processed = CASE WHEN i.dry_run THEN 0 ELSE i.processed END, created = CASE WHEN i.dry_run THEN 0 ELSE i.created END,
    updated = CASE WHEN i.dry_run THEN 0 ELSE i.updated END, skipped = CASE WHEN i.dry_run THEN 0 ELSE i.skipped END,
    failed = CASE WHEN i.dry_run THEN 0 ELSE i.failed END, errors = CASE WHEN i.dry_run THEN '[]' ELSE i.errors END
  WHERE i.id = (
    SELECT id FROM contact_imports WHERE account_id = $1 AND state IN ('queued', 'running')
    ORDER BY state = 'running' DESC, id LIMIT 1 FOR UPDATE
  ) AND i.state IN ('queued', 'running') AND (i.lease_ends_at IS NULL OR ${hasExpired('i.lease_ends_at', '$3')})
  RETURNING ${COLUMNS}, i.mapping, i.list_id AS "listId", i.claim_id AS "claimId", i.user_id AS "userId",
    i.attempts AS attempt`;

const CLAIMED = `account_id = $1 AND id = $2 AND claim_id = $3`;

export const RENEW_IMPORT = `UPDATE contact_imports SET lease_ends_at = ${LEASE_END} WHERE ${CLAIMED} RETURNING id`;

export const RECORD_TOTAL = `
  UPDATE contact_imports SET lease_ends_at = ${LEASE_END}, total = $4 WHERE ${CLAIMED} RETURNING id`;

export const ADVANCE_IMPORT = `
  UPDATE contact_imports SET lease_ends_at = ${LEASE_END}, attempts = 1, processed = processed + $4,
    created = created + $5, updated = updated + $6, skipped = skipped + $7, failed = failed + $8,
    errors = errors || $9::jsonb
  WHERE ${CLAIMED} RETURNING id`;

export const RELEASE_IMPORT = `
  UPDATE contact_imports SET claim_id = NULL, lease_ends_at = NULL, attempts = attempts - 1 WHERE ${CLAIMED}`;

export const FINISH_IMPORT = `
  WITH finished AS (
    UPDATE contact_imports SET state = CASE WHEN $4::text IS NULL THEN 'done' ELSE 'failed' END, error = $4, finished_at = $5,
      claim_id = NULL, lease_ends_at = NULL
    WHERE ${CLAIMED} RETURNING id
  )
  DELETE FROM contact_import_chunks WHERE import_id IN (SELECT id FROM finished)`;

export const LIST_WAITING = `
  SELECT DISTINCT account_id AS "accountId" FROM contact_imports i
  WHERE finished_at IS NULL AND state IN ('queued', 'running') AND NOT EXISTS (
    SELECT FROM contact_imports r WHERE r.account_id = i.account_id AND r.state = 'running'
      AND r.lease_ends_at > clock_timestamp())`;

/** Condition on `contact_imports`. $1 now. */
export const IS_ABANDONED_UPLOAD = `state = 'uploading' AND lease_ends_at <= $1`;

/** $1 now, for rows that meet the condition after it. */
export const FAIL_IMPORT = `
  UPDATE contact_imports SET state = 'failed', error = 'The import was not finished within a day', finished_at = $1,
    claim_id = NULL, lease_ends_at = NULL`;

export const IS_OVERDUE = `finished_at IS NULL AND state <> 'uploading'
  AND created_at <= $1::timestamptz - interval '${MAX_IMPORT_DAYS} days'`;

/** Condition on `contact_import_chunks`: left over from finished imports. */
export const IS_OF_FINISHED_IMPORT = `import_id IN (SELECT id FROM contact_imports WHERE finished_at IS NOT NULL)`;

/** Condition on `contact_imports`. $1 now. */
export const HAS_OLD_REPORT = `finished_at <= $1::timestamptz - interval '${IMPORT_REPORT_DAYS} days'`;
