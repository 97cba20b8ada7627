import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import type { EventType } from '../../../../shared/event-types.js';
import { idPrefix } from '../../../../shared/ids.js';
import { isoDay } from '../../../../shared/utc.js';
import { MessageActivity, type StatusCountAt } from '../../application/ports/message-activity.js';
import type { ActivitySpan, CampaignEventBucket } from '../../domain/activity.js';

/** Days and events of campaigns are read from the rollup, hours are counted from the messages. */
@Injectable()
export class SqlMessageActivity extends MessageActivity {
  constructor(private readonly database: Database) {
    super();
  }

  async count(accountId: string, { interval, starts }: ActivitySpan): Promise<StatusCountAt[]> {
    const [first] = starts;
    if (!first) return [];
    return interval === 'hour'
      ? this.database.read<StatusCountAt>(HOURS, [accountId, idPrefix(first)])
      : this.database.read<StatusCountAt>(DAYS, [accountId, isoDay(first)]);
  }

  async countCampaignEvents(
    accountId: string,
    campaignId: string,
    { interval, starts }: ActivitySpan,
  ): Promise<CampaignEventBucket[]> {
    const [first, last] = [starts[0], starts.at(-1)];
    if (!first || !last) return [];
    return this.database.read<CampaignEventBucket>(CAMPAIGN_EVENTS, [
      ...[accountId, campaignId, first, last, `1 ${interval}`],
    ]);
  }

  async versionsAcrossAccounts(accountIds: readonly string[], since: Date): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.read<{ accountId: string; version: string }>(VERSIONS, [
      accountIds,
      isoDay(since),
    ]);
    return new Map(rows.map(({ accountId, version }) => [accountId, version]));
  }

  countByKey(accountId: string, day: Date): Promise<{ apiKeyId: string; used: number }[]> {
    return this.database.read(BY_KEY, [accountId, isoDay(day)]);
  }
}

const SUMS = `sum(messages)::float8 AS messages, sum(opened)::float8 AS opened, sum(opens)::float8 AS opens,
  sum(clicked)::float8 AS clicked, sum(clicks)::float8 AS clicks`;

const ROLLUP = (where: string) =>
  ['message_counts', 'message_count_changes']
    .map((table) => `SELECT * FROM ${table} WHERE ${where}`)
    .join(' UNION ALL ');

const DAYS = `
  SELECT day::timestamp AT TIME ZONE 'UTC' AS "from", status, channel, ${SUMS}
  FROM (${ROLLUP('account_id = $1 AND day >= $2')}) AS rollup
  GROUP BY day, status, channel`;

const HOURS = `
  SELECT date_bin('1 hour', created_at, '2000-01-01T00:00:00Z') AS "from", status, channel,
    count(*)::float8 AS messages,
    count(*) FILTER (WHERE opens > 0)::float8 AS opened, sum(opens)::float8 AS opens,
    count(*) FILTER (WHERE clicks > 0)::float8 AS clicked, sum(clicks)::float8 AS clicks
  FROM message_logs WHERE account_id = $1 AND id >= $2
  GROUP BY 1, status, channel`;

const eventsOf = (type: EventType) => `coalesce(sum(events) FILTER (WHERE type = '${type}'), 0)::float8`;

/** $1 account, $2 campaign, $3 and $4 the first and last start, $5 the interval. */
const CAMPAIGN_EVENTS = `
  SELECT date_bin($5::interval, hour, '2000-01-01T00:00:00Z') AS "from", ${eventsOf('sent')} AS sent,
    ${eventsOf('delivered')} AS delivered, ${eventsOf('opened')} AS opens, ${eventsOf('clicked')} AS clicks
  FROM (${['campaign_activity', 'campaign_activity_changes']
    .map(
      (table) => `
    SELECT hour, type, events FROM ${table}
    WHERE account_id = $1 AND campaign_id = $2 AND hour >= $3 AND hour < $4::timestamptz + $5::interval`,
    )
    .join(' UNION ALL ')}
  ) AS counted
  GROUP BY 1`;

/**
 * $1 accounts, $2 the first day. The rollup moves counts between its tables without changing their sums. Leased
 * messages are `sending`.
 */
const VERSIONS = `
  WITH counted AS (
    SELECT account_id, status, channel, sum(messages) AS messages, sum(opens) AS opens, sum(clicks) AS clicks
    FROM (${ROLLUP('account_id = ANY ($1) AND day >= $2')}) AS rollup GROUP BY account_id, status, channel
  ), counts AS (
    SELECT account_id,
      string_agg(concat_ws(' ', status, channel, messages, opens, clicks), ',' ORDER BY status, channel) AS text
    FROM counted GROUP BY account_id
  ), leases AS (
    SELECT account_id, string_agg(message_id, ',' ORDER BY message_id) AS text
    FROM pending_deliveries WHERE account_id = ANY ($1) AND lease_ends_at IS NOT NULL GROUP BY account_id
  )
  SELECT account_id AS "accountId", md5(concat(counts.text, ' ', leases.text)) AS version
  FROM counts FULL JOIN leases USING (account_id)`;

const BY_KEY = `
  SELECT api_key_id AS "apiKeyId", sum(messages)::float8 AS used
  FROM (${ROLLUP("account_id = $1 AND day = $2 AND api_key_id <> ''")}) AS rollup
  GROUP BY api_key_id HAVING sum(messages) > 0
  ORDER BY used DESC, api_key_id`;
