import { Injectable } from '@nestjs/common';

import type { DomainEvent } from '../../shared/events.js';
import { newIds } from '../../shared/ids.js';
import { Clock } from '../../shared/ports/clock.js';
import { Outbox } from '../../shared/ports/outbox.js';
import { Database } from '../database/database.js';

@Injectable()
export class SqlOutbox extends Outbox {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Ids hold the time of this call and keep the order of its events; `occurredAt` may be earlier. */
  async add(events: readonly DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    const ids = newIds(this.clock.now(), events.length);
    const rows = events.map((event, i) => ({ id: ids[i], ...event }));
    await this.database.query(ADD, [JSON.stringify(rows)]);
  }
}

const ADD = `
  INSERT INTO outbox_events (id, account_id, type, occurred_at, data)
  SELECT id, "accountId", type, "occurredAt", data
  FROM json_to_recordset($1::json) AS e (id text, "accountId" text, type text, "occurredAt" timestamptz, data jsonb)`;
