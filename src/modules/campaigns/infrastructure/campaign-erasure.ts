import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASED_RECIPIENT } from '../../messages/index.js';

/** Campaigns per part; each has the address at most once. */
const PART_SIZE = 1_000;

/** Erases the address from the audiences of campaigns. */
@Injectable()
export class CampaignErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erasePart(accountId: string, email: string, after: string): Promise<ErasedPart> {
    const values = [accountId, email, after, PART_SIZE];
    const steps = await this.database.queryInLane<Step & { skipped: number }>(accountId, ERASE, values);
    return { next: nextAfter(steps, PART_SIZE), hasSkipped: steps.some(({ skipped }) => skipped > 0) };
  }
}

/** $1 account, $2 address, $3 the last campaign of the previous part, $4 limit. Skips locked rows. */
const ERASE = `
  WITH seen AS MATERIALIZED (
    SELECT id FROM campaigns WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
  ), theirs AS MATERIALIZED (
    SELECT r.campaign_id, r.message_id FROM campaign_recipients r JOIN seen s ON r.campaign_id = s.id
    WHERE r.normalised_email = $2
  ), idle AS MATERIALIZED (
    SELECT r.campaign_id, r.message_id
    FROM campaign_recipients r JOIN theirs t ON r.campaign_id = t.campaign_id AND r.message_id = t.message_id
    ORDER BY r.campaign_id FOR UPDATE OF r SKIP LOCKED
  ), erased AS (
    UPDATE campaign_recipients r SET email = '${ERASED_RECIPIENT}', normalised_email = NULL FROM idle
    WHERE r.campaign_id = idle.campaign_id AND r.message_id = idle.message_id
  )
  SELECT max(id) AS last, count(*)::integer AS seen,
    ((SELECT count(*) FROM theirs) - (SELECT count(*) FROM idle))::integer AS skipped
  FROM seen`;
