import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { mentionPattern } from '../../../shared/text.js';

const PART_SIZE = 500;

/** Erases the address from the error reports of imports. */
@Injectable()
export class ImportErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const values = [accountId, mentionPattern(email), after, PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, CLEAR_ERRORS, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

const NAMES_ADDRESS = `EXISTS (
    SELECT FROM jsonb_array_elements(i.errors) AS reported (error) WHERE lower(reported.error->>'email') ~ $2)`;

/** $1 account, $2 regular expression, $3 the last id of the previous part, $4 limit. Skips locked rows. */
const CLEAR_ERRORS = `
  WITH seen AS MATERIALIZED (
    SELECT id FROM contact_imports WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
  ), theirs AS MATERIALIZED (
    SELECT i.id FROM contact_imports i JOIN seen s ON s.id = i.id WHERE ${NAMES_ADDRESS}
  ), idle AS MATERIALIZED (
    SELECT i.id FROM contact_imports i JOIN theirs t ON t.id = i.id ORDER BY i.id FOR UPDATE OF i SKIP LOCKED
  ), cleared AS (
    UPDATE contact_imports i SET errors = (
      SELECT jsonb_agg(CASE WHEN lower(reported.error->>'email') ~ $2 THEN reported.error || '{"email": null}'
        ELSE reported.error END ORDER BY reported.number)
      FROM jsonb_array_elements(i.errors) WITH ORDINALITY AS reported (error, number))
    FROM idle WHERE i.id = idle.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen,
    ((SELECT count(*) FROM theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;
