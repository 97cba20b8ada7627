import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { mentionPattern } from '../../../shared/text.js';

const PART_SIZE = 2_000;

/** Erases provider events about the recipient that have not been matched to a message. */
@Injectable()
export class UnmatchedEventErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const values = [accountId, email, mentionPattern(email), after, PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, REMOVE, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

/**
 * $1 account, $2 address, $3 regular expression, $4 the last id of the previous part, $5 limit. Events without a
 * recipient may name the address anywhere in the text of the provider. Skips what is being matched.
 */
const REMOVE = `
  WITH seen AS MATERIALIZED (
    SELECT id, CASE WHEN recipient IS NULL THEN lower(data->>'email') = $2 OR EXISTS (
        SELECT FROM jsonb_each_text(data) AS field (key, value) WHERE lower(field.value) ~ $3)
      ELSE $2 IN (lower(recipient), lower(data->>'email')) END AS is_theirs
    FROM unmatched_events WHERE account_id = $1 AND id > $4 ORDER BY id LIMIT $5
  ), idle AS MATERIALIZED (
    SELECT u.id FROM unmatched_events u JOIN seen s ON s.id = u.id
    WHERE u.account_id = $1 AND s.is_theirs ORDER BY u.id FOR UPDATE OF u SKIP LOCKED
  ), removed AS (
    DELETE FROM unmatched_events u USING idle i WHERE u.account_id = $1 AND u.id = i.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen,
    (count(*) FILTER (WHERE is_theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;
