import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { mentionPattern } from '../../../shared/text.js';
import { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';

/**
 * Erases events about the recipient that wait in the outbox, their webhook deliveries and replies that name the
 * address.
 */
@Injectable()
export class WebhookErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erase(accountId: string, email: string): Promise<number> {
    await this.database.query(REMOVE_EVENTS, [accountId, email]);
    await this.database.query(REMOVE_DELIVERIES, [accountId, email]);
    await this.database.query(CLEAR_REPLIES, [accountId, mentionPattern(email)]);
    return 0;
  }
}

const REMOVE_EVENTS = `DELETE FROM outbox_events WHERE account_id = $1 AND lower(data->>'email') = $2`;

/** Looks for the address in the text first, because that is cheaper than parsing every body. */
const REMOVE_DELIVERIES = `
  DELETE FROM webhook_deliveries d USING webhook_endpoints w WHERE w.account_id = $1 AND d.endpoint_id = w.id
    AND CASE WHEN position($2 IN lower(d.body)) > 0 THEN lower(d.body::jsonb->'data'->>'email') = $2 END`;

/** $2 regular expression. */
const CLEAR_REPLIES = `
  UPDATE webhook_attempts a SET response_headers = NULL, response_body = NULL
  FROM webhook_deliveries d, webhook_endpoints w
  WHERE w.account_id = $1 AND d.endpoint_id = w.id AND a.delivery_id = d.id
    AND (lower(a.response_body) ~ $2 OR lower(a.response_headers::text) ~ $2)`;
