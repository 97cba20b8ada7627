import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { mentionPattern } from '../../../shared/text.js';

/** Deliveries per part, whose bodies and replies are searched within a second. */
const PART_SIZE = 1_000;

/** Erases webhook deliveries about the recipient, and replies that name the address. */
@Injectable()
export class WebhookErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const [endpointId, deliveryId = ''] = after.split(' ');
    const values = [accountId, email, mentionPattern(email), endpointId, deliveryId, PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, ERASE, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

/**
 * $1 account, $2 address, $3 regular expression, $4 and $5 endpoint and delivery after which the part begins, $6 limit.
 * Leaves alone the deliveries that a worker has leased, whose lease would end while it waits, and those that another
 * transaction holds. Looks for the address in the text first, because that is cheaper than parsing every body.
 */
const ERASE = `
  WITH seen AS MATERIALIZED (
    SELECT w.id AS endpoint_id, d.id FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.endpoint_id = w.id AND d.id > CASE WHEN w.id = $4 THEN $5 ELSE '' END ORDER BY d.id LIMIT $6) d
    WHERE w.account_id = $1 AND w.id >= $4 ORDER BY w.id, d.id LIMIT $6
  ), theirs AS MATERIALIZED (
    SELECT d.id, CASE WHEN position($2 IN lower(d.body)) > 0 THEN lower(d.body::jsonb->'data'->>'email') = $2 END
      IS TRUE AS is_about_them
    FROM webhook_deliveries d JOIN seen s ON s.id = d.id
    WHERE
      CASE WHEN position($2 IN lower(d.body)) > 0 THEN lower(d.body::jsonb->'data'->>'email') = $2 END
      OR EXISTS (
        SELECT FROM webhook_attempts a
        WHERE a.delivery_id = d.id AND (lower(a.response_body) ~ $3 OR lower(a.response_headers::text) ~ $3))
  ), idle AS MATERIALIZED (
    SELECT d.id, t.is_about_them FROM webhook_deliveries d JOIN theirs t ON t.id = d.id
    WHERE d.state <> 'in_progress' OR d.due_at <= clock_timestamp()
    ORDER BY d.id FOR UPDATE OF d SKIP LOCKED
  ), removed AS (
    DELETE FROM webhook_deliveries d USING idle i WHERE d.id = i.id AND i.is_about_them
  ), cleared AS (
    UPDATE webhook_attempts a SET response_headers = NULL, response_body = NULL FROM idle i
    WHERE a.delivery_id = i.id AND NOT i.is_about_them
      AND (lower(a.response_body) ~ $3 OR lower(a.response_headers::text) ~ $3)
  )
  SELECT max(endpoint_id || ' ' || id) AS last, count(*)::integer AS seen,
    ((SELECT count(*) FROM theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;
