import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { mentionPattern } from '../../../shared/text.js';
import { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';

/** Erases the address from the error reports of imports. */
@Injectable()
export class ImportErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erase(accountId: string, email: string): Promise<number> {
    await this.database.query(CLEAR_ERRORS, [accountId, mentionPattern(email)]);
    return 0;
  }
}

const CLEAR_ERRORS = `
  UPDATE contact_imports SET errors = (
    SELECT jsonb_agg(CASE WHEN lower(reported.error->>'email') ~ $2 THEN reported.error || '{"email": null}' ELSE reported.error END ORDER BY reported.number)
    FROM jsonb_array_elements(errors) WITH ORDINALITY AS reported (error, number))
  WHERE account_id = $1 AND EXISTS (SELECT FROM jsonb_array_elements(errors) AS reported (error) WHERE lower(reported.error->>'email') ~ $2)`;
