import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { newIds } from '../../../../shared/ids.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { TimelineRepository } from '../../application/ports/timeline.repository.js';
import type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  RecordedVisit,
  ReportedEvent,
  ReportedMessage,
  ReportedVisit,
} from '../../domain/reported-event.js';
import {
  FIND_ACCOUNTS,
  FIND_MESSAGES,
  RECORD_EVENTS,
  RECORD_VISITS,
  RECORD_VISITS_UNLESS_LOCKED,
} from './event.sql.js';
import { DISCOUNT_SCANNERS } from './scanner.sql.js';

type MatchedRow = Omit<ReportedMessage, 'id'> & { messageId: string | null };
type RecordedRow<Outcome> = MatchedRow & { outcome: Outcome; maybeScanned: boolean };

/**
 * Most of its statements are planned on each call, which takes about a millisecond: a plan prepared while the month's
 * partition was small would read all of it until statistics are updated.
 */
@Injectable()
export class SqlTimelineRepository extends TimelineRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]> {
    if (events.length === 0) return [];
    const hasVisits = events.some(({ type }) => type === 'opened' || type === 'clicked');
    const rows = await this.write<RecordedEvent['outcome']>(hasVisits ? RECORD_VISITS : RECORD_EVENTS, events);
    return rows.map((row) => ({ outcome: row.outcome, message: toMessage(row) }));
  }

  async recordVisitsAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedVisit[]> {
    const accountIds = await this.findAccountIds(unique(visits.map(({ messageId }) => messageId)));
    const rows = await this.write<RecordedVisit>(
      RECORD_VISITS_UNLESS_LOCKED,
      visits.map(({ id, ...visit }) => ({
        ...visit,
        key: id,
        accountId: accountIds.get(visit.messageId) ?? '',
        channel: 'email',
        providerMessageId: null,
        recipient: null,
      })),
    );
    return rows.map(({ outcome }) => outcome);
  }

  async find(references: readonly MessageReference[]): Promise<FoundMessage[]> {
    if (references.length === 0) return [];
    const rows = await this.database.query<MatchedRow & Pick<FoundMessage, 'outcome'>>(
      FIND_MESSAGES,
      toValues(references),
    );
    return rows.map((row) => ({ outcome: row.outcome, message: toMessage(row) }));
  }

  private write<Outcome>(statement: string, events: readonly ReportedEvent[]): Promise<RecordedRow<Outcome>[]> {
    const ids = newIds(this.clock.now(), events.length);
    const values = toValues(events.map((event, i) => ({ ...event, id: ids[i] })));
    return this.database.run(async () => {
      const rows = await this.database.query<RecordedRow<Outcome>>(statement, values);
      const maybeScanned = unique(rows.map((row) => (row.maybeScanned ? row.messageId : null)));
      if (maybeScanned.length > 0) await this.database.query(DISCOUNT_SCANNERS, [maybeScanned]);
      return rows;
    });
  }

  private async findAccountIds(messageIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.prepared<{ id: string; accountId: string }>('find_accounts', FIND_ACCOUNTS, [
      messageIds,
    ]);
    return new Map(rows.map(({ id, accountId }) => [id, accountId]));
  }
}

const toMessage = ({ messageId: id, recipient, contactId, campaignId }: MatchedRow): ReportedMessage | null =>
  id === null ? null : { id, recipient, contactId, campaignId };

const toValues = (references: readonly MessageReference[]): unknown[] => [
  JSON.stringify(references.map((reference, position) => ({ ...reference, position }))),
  unique(references.map(({ messageId }) => messageId)),
];

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
