import type { RecipientOutcome } from '../domain/campaign-recipient.js';

/** A ListedRecipient from the rows `r` and `c`. */
const COLUMNS = `r.email, r.contact_id AS "contactId", r.message_id AS "messageId", r.reason,
  CASE WHEN r.reason IS NOT NULL THEN 'skipped' WHEN r.message_id <= c.fed_up_to THEN 'accepted' ELSE 'waiting' END AS outcome`;

const HAS_OUTCOME: Record<RecipientOutcome, string> = {
  skipped: 'r.reason IS NOT NULL',
  accepted: 'r.reason IS NULL AND r.message_id <= c.fed_up_to',
  waiting: 'r.reason IS NULL AND r.message_id > c.fed_up_to',
};

/** $1 account, $2 campaign, $3 after this message id, $4 limit. */
export const listRecipients = (outcome: RecipientOutcome | null): string => `
  SELECT ${COLUMNS} FROM campaigns c JOIN campaign_recipients r ON r.campaign_id = c.id
  WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL AND r.message_id > $3
    AND ${outcome === null ? 'true' : HAS_OUTCOME[outcome]}
  ORDER BY r.message_id LIMIT $4`;

/** $1 account, $2 campaign, $3 message ids. */
export const FIND_CURRENT = `
  SELECT r.message_id AS id FROM campaigns c JOIN campaign_recipients r ON r.campaign_id = c.id
  WHERE c.account_id = $1 AND c.id = $2 AND r.message_id = ANY ($3) AND ${HAS_OUTCOME.accepted}`;

/** $1 account, $2 campaign: the id that all new ones have to follow. */
export const LAST_ID = `SELECT c.last_message_id AS "lastId" FROM campaigns c WHERE c.account_id = $1 AND c.id = $2`;

export const LOCK_LAST_ID = `${LAST_ID} FOR UPDATE`;

/** $1 account, $2 campaign, $3 message ids, $4 their replacements, $5 the last of these. */
export const RENEW = `
  WITH renewed AS (
    UPDATE campaign_recipients r SET message_id = pair.new
    FROM campaigns c, unnest($3::text[], $4::text[]) AS pair (old, new)
    WHERE c.account_id = $1 AND c.id = $2 AND r.campaign_id = c.id AND r.message_id = pair.old AND ${HAS_OUTCOME.accepted}
    RETURNING r.message_id
  )
  UPDATE campaigns c SET last_message_id = $5, accepted = c.accepted - (SELECT count(*) FROM renewed)
  WHERE c.account_id = $1 AND c.id = $2`;
