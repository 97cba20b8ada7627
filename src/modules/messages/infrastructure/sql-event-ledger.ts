import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { idPrefix } from '../../../shared/ids.js';
import { EventLedger } from '../application/ports/event-ledger.js';
import type { RecordedEvent, ReportedEvent, ReportedMessage, ReportedVisit } from '../domain/reported-event.js';
import { DISCOUNT_AUTOMATED_CLICKS, RECORD_EVENTS } from './event.sql.js';

/** Beyond the second that matters, as an event's id is made a moment after what it tells of. */
const PACE_MS = 2_000;

type Row = Omit<ReportedMessage, 'id'> & { recorded: boolean; messageId: string | null };
type Report = Omit<ReportedEvent, 'accountId'> & { accountId: string | null };

@Injectable()
export class SqlEventLedger extends EventLedger {
  constructor(private readonly database: Database) {
    super();
  }

  record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]> {
    return this.recordAll(events);
  }

  recordVisitsAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedEvent[]> {
    const reports = visits.map((visit) => ({ ...visit, accountId: null, providerMessageId: null, recipient: null }));
    return this.database.run(async () => {
      const recorded = await this.recordAll(reports);
      await this.discountAutomated(visits.filter(({ type }) => type === 'clicked'));
      return recorded;
    });
  }

  private async discountAutomated(clicks: readonly ReportedVisit[]): Promise<void> {
    if (clicks.length === 0) return;
    const times = clicks.map(({ occurredAt }) => occurredAt.getTime());
    await this.database.prepared('discount_automated_clicks', DISCOUNT_AUTOMATED_CLICKS, [
      present(clicks.map(({ messageId }) => messageId)),
      idPrefix(new Date(Math.min(...times) - PACE_MS)),
      idPrefix(new Date(Math.max(...times) + PACE_MS)),
    ]);
  }

  private async recordAll(events: readonly Report[]): Promise<RecordedEvent[]> {
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
