import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { EventLedger } from '../application/ports/event-ledger.js';
import type { MessageReference, RecordedEvent, ReportedEvent, ReportedMessage } from '../domain/reported-event.js';
import { FIND_MESSAGES, RECORD_EVENTS } from './event.sql.js';

type Row = Omit<ReportedMessage, 'id'> & { recorded: boolean; messageId: string | null };

/**
 * Its statements are planned each time, about a millisecond: a plan that was prepared while the month's partition was small
 * reads all of it, until statistics are taken anew.
 */
@Injectable()
export class SqlEventLedger extends EventLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]> {
    if (events.length === 0) return [];
    const rows = await this.database.query<Row>(RECORD_EVENTS, toValues(events));
    return rows.map(({ recorded, messageId, ...message }) => {
      if (messageId === null) return { outcome: 'unmatched', message: null };
      return { outcome: recorded ? 'recorded' : 'known', message: { id: messageId, ...message } };
    });
  }

  async find(references: readonly MessageReference[]): Promise<(ReportedMessage | null)[]> {
    if (references.length === 0) return [];
    const rows = await this.database.query<Omit<Row, 'recorded'>>(FIND_MESSAGES, toValues(references));
    return rows.map(({ messageId, ...message }) => (messageId === null ? null : { id: messageId, ...message }));
  }
}

const toValues = (references: readonly MessageReference[]): unknown[] => [
  JSON.stringify(references.map((reference, position) => ({ ...reference, position }))),
  present(references.map(({ messageId }) => messageId)),
  present(references.map(({ messageId, providerMessageId }) => (messageId === null ? providerMessageId : null))),
];

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
