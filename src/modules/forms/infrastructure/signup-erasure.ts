import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';

/** Deletes the sign-ups of the recipient, confirmed or not: there are a few at most. */
@Injectable()
export class SignupErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string): Promise<ErasedPart> {
    const [result] = await this.database.queryInLane<{ skipped: number }>(accountId, REMOVE, [accountId, email]);
    return { next: null, hasSkipped: (result?.skipped ?? 0) > 0 };
  }
}

/** $1 account, $2 address. Skips locked rows. */
const REMOVE = `
  WITH theirs AS MATERIALIZED (
    SELECT id FROM form_signups WHERE account_id = $1 AND normalised_email = $2
  ), idle AS MATERIALIZED (
    SELECT s.id FROM form_signups s JOIN theirs t ON t.id = s.id ORDER BY s.id FOR UPDATE OF s SKIP LOCKED
  ), removed AS (
    DELETE FROM form_signups s USING idle i WHERE s.id = i.id
  )
  SELECT ((SELECT count(*) FROM theirs) - (SELECT count(*) FROM idle))::integer AS skipped`;
