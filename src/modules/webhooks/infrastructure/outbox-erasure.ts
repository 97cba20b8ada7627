import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';

const PART_SIZE = 5_000;

/** Erases events about the recipient that wait in the outbox. */
@Injectable()
export class OutboxErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const values = [accountId, email, after, PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, REMOVE_EVENTS, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

/** $1 account, $2 address, $3 the last id of the previous part, $4 limit. Skips what is being dispatched. */
const REMOVE_EVENTS = `
  WITH seen AS MATERIALIZED (
    SELECT id, lower(data->>'email') = $2 AS is_theirs FROM outbox_events
    WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
  ), idle AS MATERIALIZED (
    SELECT o.id FROM outbox_events o JOIN seen s ON s.id = o.id
    WHERE s.is_theirs ORDER BY o.id FOR UPDATE OF o SKIP LOCKED
  ), removed AS (
    DELETE FROM outbox_events o USING idle i WHERE o.id = i.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen,
    (count(*) FILTER (WHERE is_theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;
