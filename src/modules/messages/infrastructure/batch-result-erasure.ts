import { domainToUnicode } from 'node:url';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASED_RECIPIENT } from '../domain/message-log.js';

const PART_SIZE = 2_000;

/** Erases the recipient from stored responses to batches: the recipients of copies, and refusals. */
@Injectable()
export class BatchResultErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const [apiKeyId, ...key] = after.split(' ');
    const values = [accountId, patternOf(email), apiKeyId, key.join(' '), PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, ERASE_BATCH_RESULTS, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

/**
 * $1 account, $2 pattern, $3 and $4 key and idempotency key after which the part begins, $5 limit. Skips locked rows.
 */
const ERASE_BATCH_RESULTS = `
  WITH seen AS MATERIALIZED (
    SELECT api_key_id, key FROM idempotency_keys
    WHERE account_id = $1 AND (api_key_id, key) > ($3, $4) ORDER BY api_key_id, key LIMIT $5
  ), theirs AS MATERIALIZED (
    SELECT i.api_key_id, i.key FROM idempotency_keys i JOIN seen s ON i.api_key_id = s.api_key_id AND i.key = s.key
    WHERE i.account_id = $1 AND i.results IS NOT NULL AND i.results::text ~* $2
  ), idle AS MATERIALIZED (
    SELECT i.api_key_id, i.key FROM idempotency_keys i JOIN theirs t ON i.api_key_id = t.api_key_id AND i.key = t.key
    WHERE i.account_id = $1 ORDER BY i.api_key_id, i.key FOR UPDATE OF i SKIP LOCKED
  ), erased AS (
    UPDATE idempotency_keys i SET results = regexp_replace(i.results::text, $2, '${ERASED_RECIPIENT}', 'gi')::jsonb
    FROM idle WHERE i.account_id = $1 AND i.api_key_id = idle.api_key_id AND i.key = idle.key
  )
  SELECT max(api_key_id || ' ' || key) AS last, count(*)::integer AS seen,
    ((SELECT count(*) FROM theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;

/** Matches the spellings of an address as a whole word of JSON text. */
function patternOf(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const spellings = [email, `${email.slice(0, at)}${domainToUnicode(email.slice(at))}`];
  const escaped = spellings.map((text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `(?<=["\\s])(?:${[...new Set(escaped)].join('|')})(?=["\\s])`;
}
