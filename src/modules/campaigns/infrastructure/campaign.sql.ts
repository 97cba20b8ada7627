import { containsAny, Parameters } from '../../../platform/database/parameters.js';
import type { PageRequest } from '../../../shared/page.js';
import { searchTerms } from '../../../shared/search-terms.js';
import type { CampaignFilter } from '../application/ports/campaign.repository.js';

/** A Campaign from the row `c`. */
export const COLUMNS = `c.id, c.account_id AS "accountId", c.name, c.from_email AS "fromEmail", c.from_name AS "fromName",
  c.reply_to AS "replyTo", c.subject, c.html, c.text, c.template_id AS "templateId", c.variables,
  json_build_object('listIds', c.list_ids, 'tags', c.tags, 'excludeListIds', c.exclude_list_ids, 'excludeTags', c.exclude_tags) AS audience,
  c.scheduled_at AS "scheduledAt", c.max_per_minute AS "maxPerMinute", c.status, c.pause_reason AS "pauseReason",
  c.waiting_for AS "waitingFor", c.recipients, c.accepted, c.skipped_suppressed AS "skippedSuppressed",
  c.skipped_no_consent AS "skippedNoConsent", c.skipped_deleted AS "skippedDeleted",
  c.skipped_failed AS "skippedFailed", c.skipped_out_of_topic AS "skippedOutOfTopic", c.topic_id AS "topicId", c.created_at AS "createdAt",
  c.started_at AS "startedAt", c.ended_at AS "endedAt", c.revision`;

/** $1 account, $2 campaign. */
const IS_IT = 'c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL';

export const FIND = `SELECT ${COLUMNS} FROM campaigns c WHERE ${IS_IT}`;

export const FIND_CONTENT = `SELECT c.content FROM campaigns c WHERE ${IS_IT}`;

/** $3 on: see `planValues`. */
export const ADD = `
  INSERT INTO campaigns (account_id, id, name, from_email, from_name, reply_to, subject, html, text, template_id, variables,
    list_ids, tags, exclude_list_ids, exclude_tags, scheduled_at, max_per_minute, topic_id, status, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`;

/** $3 to $18: see `planValues`; $19 status, $20 revision, $21 content. Ends the claim of a worker. */
export const SAVE = `
  UPDATE campaigns c SET name = $3, from_email = $4, from_name = $5, reply_to = $6, subject = $7, html = $8, text = $9,
    template_id = $10, variables = $11, list_ids = $12, tags = $13, exclude_list_ids = $14, exclude_tags = $15,
    scheduled_at = $16, max_per_minute = $17, topic_id = $18, status = $19, revision = c.revision + 1,
    content = coalesce($21, c.content), pause_reason = $22, waiting_for = $23, started_at = $24, ended_at = $25, claim_id = NULL, lease_ends_at = NULL
  WHERE ${IS_IT} AND c.revision = $20 RETURNING c.id`;

/** $3 revision, $4 now. */
export const REMOVE = `
  UPDATE campaigns c SET deleted_at = $4, revision = c.revision + 1, claim_id = NULL, lease_ends_at = NULL
  WHERE ${IS_IT} AND c.revision = $3 RETURNING c.id`;

export const COUNT_OTHERS_RUNNING = `
  SELECT count(*)::integer AS count FROM campaigns c
  WHERE c.account_id = $1 AND c.id <> $2 AND c.status = 'running' AND c.deleted_at IS NULL`;

interface Statement {
  text: string;
  values: unknown[];
}

function matching(parameters: Parameters, { search, statuses, topicId }: CampaignFilter): string {
  const where = ['c.account_id = $1 AND c.deleted_at IS NULL'];
  if (statuses !== undefined) where.push(`c.status = ANY (${parameters.add(statuses)})`);
  if (topicId !== undefined) where.push(`c.topic_id = ${parameters.add(topicId)}`);
  if (search !== undefined) where.push(containsAny(parameters, 'lower(c.name)', searchTerms(search)));
  return where.join(' AND ');
}

/** The rows of a page, newest first. */
export function listCampaigns(accountId: string, filter: CampaignFilter, { page, limit }: PageRequest): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    SELECT ${COLUMNS} FROM campaigns c WHERE ${matching(parameters, filter)}
    ORDER BY c.id DESC LIMIT ${parameters.add(limit)} OFFSET ${parameters.add((page - 1) * limit)}`;
  return { text, values: parameters.values };
}

export function countCampaigns(accountId: string, filter: CampaignFilter): Statement {
  const parameters = new Parameters(accountId);
  const text = `SELECT count(*)::integer AS total FROM campaigns c WHERE ${matching(parameters, filter)}`;
  return { text, values: parameters.values };
}
