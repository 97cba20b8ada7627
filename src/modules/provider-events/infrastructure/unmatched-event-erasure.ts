import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { mentionPattern } from '../../../shared/text.js';
import { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';

/** Erases provider events about the recipient that have not been matched to a message. */
@Injectable()
export class UnmatchedEventErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erase(accountId: string, email: string): Promise<number> {
    await this.database.query(REMOVE_BY_RECIPIENT, [accountId, email]);
    await this.database.query(REMOVE_BY_MENTION, [accountId, mentionPattern(email)]);
    return 0;
  }
}

const REMOVE_BY_RECIPIENT = `
  DELETE FROM unmatched_events WHERE account_id = $1 AND $2 IN (lower(recipient), lower(data->>'email'))`;

/** $2 regular expression: events without a recipient may name the address anywhere in the text of the provider. */
const REMOVE_BY_MENTION = `
  DELETE FROM unmatched_events WHERE account_id = $1 AND recipient IS NULL
    AND EXISTS (SELECT FROM jsonb_each_text(data) AS field (key, value) WHERE lower(field.value) ~ $2)`;
