import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type RelayedEvent, RelayedEvents } from '../application/ports/relayed-events.js';

@Injectable()
export class SqlRelayedEvents extends RelayedEvents {
  constructor(private readonly database: Database) {
    super();
  }

  async anyAcrossAccounts(): Promise<boolean> {
    return (
      (await this.database.prepared('any_outbox_event', 'SELECT FROM outbox_events ORDER BY id LIMIT 1', [])).length > 0
    );
  }

  takeAcrossAccounts(limit: number): Promise<RelayedEvent[]> {
    return this.database.query<RelayedEvent>(TAKE, [limit]);
  }
}

/** One that the service disabled has no gap when it is enabled again. */
const HEARS = `e.deleted_at IS NULL AND (e.enabled OR e.disabled_reason IS NOT NULL)`;

const TAKE = `
  WITH taken AS (
    DELETE FROM outbox_events WHERE id = ANY(ARRAY(
      SELECT id FROM outbox_events ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, account_id, type, occurred_at, data
  )
  SELECT t.id, t.type, t.account_id AS "accountId", t.occurred_at AS "occurredAt", t.data,
    ARRAY(
      SELECT e.id FROM webhook_endpoints e
      WHERE e.account_id = t.account_id AND t.type = ANY(e.events) AND ${HEARS}
    ) AS "endpointIds"
  FROM taken t ORDER BY t.id`;
