import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { EventLedger } from '../application/ports/event-ledger.js';
import type { RecordedEvent, ReportedEvent, ReportedMessage } from '../domain/reported-event.js';
import { RECORD_EVENTS } from './event.sql.js';

type Row = Omit<ReportedMessage, 'id'> & { recorded: boolean; messageId: string | null };

@Injectable()
export class SqlEventLedger extends EventLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]> {
    if (events.length === 0) return [];
    const rows = await this.database.prepared<Row>('record_events', RECORD_EVENTS, [
      JSON.stringify(events.map((event, position) => ({ ...event, position }))),
      present(events.map(({ messageId }) => messageId)),
      present(events.map(({ messageId, providerMessageId }) => (messageId === null ? providerMessageId : null))),
    ]);
    return rows.map(({ recorded, messageId, ...message }) => {
      if (messageId === null) return { outcome: 'unmatched', message: null };
      return { outcome: recorded ? 'recorded' : 'known', message: { id: messageId, ...message } };
    });
  }
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
