import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import {
  type Quota,
  type UndispatchedEvent,
  UndispatchedEvents,
  type WaitingAccount,
} from '../application/ports/undispatched-events.js';

@Injectable()
export class SqlUndispatchedEvents extends UndispatchedEvents {
  constructor(private readonly database: Database) {
    super();
  }

  listWaitingAcrossAccounts(afterId: string, limit: number): Promise<WaitingAccount[]> {
    return this.database.prepared<WaitingAccount>('accounts_with_events', WAITING, [afterId, limit]);
  }

  takeAcrossAccounts(quotas: readonly Quota[]): Promise<UndispatchedEvent[]> {
    return this.database.query<UndispatchedEvent>(TAKE, [
      quotas.map(({ accountId }) => accountId),
      quotas.map(({ events }) => events),
    ]);
  }
}

/** An endpoint that the service disabled still receives events, so that it has no gap once it is enabled again. */
const RECEIVES_EVENTS = `e.deleted_at IS NULL AND (e.enabled OR e.disabled_reason IS NOT NULL)`;

/** The endpoints `e` of an account `a`. Those of a test account are the ones that its account wants test events at. */
const IS_ENDPOINT_OF = `e.account_id = coalesce(a.test_of, a.id) AND (a.test_of IS NULL OR e.test_events)`;

/** $1 account id, $2 limit. Skips from account to account along the index (loose scan) and reads no other events. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT min(account_id) AS account_id, 1 AS position FROM outbox_events WHERE account_id > $1
    UNION ALL
    SELECT (SELECT min(o.account_id) FROM outbox_events o WHERE o.account_id > waiting.account_id), waiting.position + 1
    FROM waiting WHERE waiting.account_id IS NOT NULL AND waiting.position < $2::integer
  )
  SELECT account_id AS id,
    (SELECT count(*)::integer FROM accounts a JOIN webhook_endpoints e ON ${IS_ENDPOINT_OF}
     WHERE a.id = waiting.account_id AND ${RECEIVES_EVENTS}) AS endpoints
  FROM waiting WHERE account_id IS NOT NULL ORDER BY position`;

/**
 * $1 account ids, $2 the number of events of each. The endpoints are locked against removal, as deliveries need it. The
 * statement is for many accounts and waits for none: it takes no events of an account with a locked endpoint.
 */
const TAKE = `
  WITH receiving AS MATERIALIZED (
    SELECT a.id AS account_id, e.id FROM accounts a JOIN webhook_endpoints e ON ${IS_ENDPOINT_OF}
    WHERE a.id = ANY ($1) AND ${RECEIVES_EVENTS}
  ), held AS MATERIALIZED (
    SELECT e.id FROM webhook_endpoints e WHERE e.id = ANY (ARRAY(SELECT id FROM receiving)) FOR KEY SHARE SKIP LOCKED
  ), taken AS (
    DELETE FROM outbox_events WHERE id = ANY(ARRAY(
      SELECT o.id FROM unnest($1::text[], $2::integer[]) AS quota (account_id, events)
      CROSS JOIN LATERAL (
        SELECT id FROM outbox_events WHERE account_id = quota.account_id
        ORDER BY id LIMIT quota.events
        FOR UPDATE SKIP LOCKED
      ) o
      WHERE NOT EXISTS (
        SELECT FROM receiving r WHERE r.account_id = quota.account_id AND r.id NOT IN (SELECT id FROM held))
    ))
    RETURNING id, account_id, type, occurred_at, data
  )
  SELECT t.id, t.type, coalesce(a.test_of, t.account_id) AS "accountId", a.test_of IS NOT NULL AS "isTest",
    t.occurred_at AS "occurredAt", t.data,
    ARRAY(
      SELECT e.id FROM webhook_endpoints e
      WHERE e.id IN (SELECT id FROM held) AND ${IS_ENDPOINT_OF} AND t.type = ANY(e.events) AND ${RECEIVES_EVENTS}
    ) AS "endpointIds"
  FROM taken t LEFT JOIN accounts a ON a.id = t.account_id ORDER BY t.id`;
