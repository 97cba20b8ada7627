import type { Database } from '../../../platform/database/database.js';

export interface RestoredCampaign {
  accountId: string;
  id: string;
  name: string;
}

/** Pauses the campaigns of all accounts that are running or whose time has come, after a restore. Returns them. */
export const pauseRestoredCampaigns = (database: Database, now: Date): Promise<RestoredCampaign[]> =>
  database.query<RestoredCampaign>(PAUSE, [now]);

const PAUSE = `
  UPDATE campaigns c SET status = 'paused', pause_reason = 'restored', waiting_for = NULL, revision = c.revision + 1,
    claim_id = NULL, lease_ends_at = NULL
  WHERE c.deleted_at IS NULL AND (c.status = 'running' OR (c.status = 'scheduled' AND c.scheduled_at <= $1))
  RETURNING c.account_id AS "accountId", c.id, c.name`;
