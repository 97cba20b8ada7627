import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import {
  type UndispatchedEvent,
  UndispatchedEvents,
  type Share,
  type WaitingAccount,
} from '../application/ports/undispatched-events.js';

@Injectable()
export class SqlUndispatchedEvents extends UndispatchedEvents {
  constructor(private readonly database: Database) {
    super();
  }

  waitingAccountsAcrossAccounts(afterId: string, limit: number): Promise<WaitingAccount[]> {
    return this.database.prepared<WaitingAccount>('accounts_with_events', WAITING, [afterId, limit]);
  }

  takeAcrossAccounts(shares: readonly Share[]): Promise<UndispatchedEvent[]> {
    return this.database.query<UndispatchedEvent>(TAKE, [
      shares.map(({ accountId }) => accountId),
      shares.map(({ events }) => events),
    ]);
  }
}

/** One that the service disabled has no gap when it is enabled again. */
const HEARS = `e.deleted_at IS NULL AND (e.enabled OR e.disabled_reason IS NOT NULL)`;

/** $1 an account, $2 how many. Leaps from account to account along the index: what waits for one is not read row by row. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT min(account_id) AS account_id, 1 AS place FROM outbox_events WHERE account_id > $1
    UNION ALL
    SELECT (SELECT min(o.account_id) FROM outbox_events o WHERE o.account_id > waiting.account_id), waiting.place + 1
    FROM waiting WHERE waiting.account_id IS NOT NULL AND waiting.place < $2::integer
  )
  SELECT account_id AS id,
    (SELECT count(*)::integer FROM webhook_endpoints e WHERE e.account_id = waiting.account_id AND ${HEARS}) AS endpoints
  FROM waiting WHERE account_id IS NOT NULL ORDER BY place`;

/** $1 account ids, $2 how many events of each. */
const TAKE = `
  WITH taken AS (
    DELETE FROM outbox_events WHERE id = ANY(ARRAY(
      SELECT o.id FROM unnest($1::text[], $2::integer[]) AS share (account_id, events)
      CROSS JOIN LATERAL (
        SELECT id FROM outbox_events WHERE account_id = share.account_id
        ORDER BY id LIMIT share.events
        FOR UPDATE SKIP LOCKED
      ) o
    ))
    RETURNING id, account_id, type, occurred_at, data
  )
  SELECT t.id, t.type, t.account_id AS "accountId", t.occurred_at AS "occurredAt", t.data,
    ARRAY(
      SELECT e.id FROM webhook_endpoints e
      WHERE e.account_id = t.account_id AND t.type = ANY(e.events) AND ${HEARS}
    ) AS "endpointIds"
  FROM taken t ORDER BY t.id`;
