import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimelineRepository } from '../application/ports/timeline.repository.js';
import type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  ReportedEvent,
  ReportedMessage,
} from '../domain/reported-event.js';
import { DISCOUNT_SCANNERS, FIND_MESSAGES, RECORD_EVENTS, RECORD_VISITS } from './event.sql.js';

type Named = Omit<ReportedMessage, 'id'> & { messageId: string | null };
type Row = Named & Pick<RecordedEvent, 'outcome'> & { isToJudge: boolean };

/**
 * Its statements are planned each time, about a millisecond: a plan that was prepared while the month's partition was small
 * reads all of it, until statistics are taken anew.
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
    const ids = newIds(this.clock.now(), events.length);
    const rowsToAdd = events.map((event, i) => ({ ...event, id: ids[i] }));
    return this.database.run(async () => {
      const hasVisits = events.some(({ type }) => type === 'opened' || type === 'clicked');
      const statement = hasVisits ? RECORD_VISITS : RECORD_EVENTS;
      const rows = await this.database.query<Row>(statement, toValues(rowsToAdd));
      const toJudge = present(rows.map(({ messageId, isToJudge }) => (isToJudge ? messageId : null)));
      if (toJudge.length > 0) await this.database.query(DISCOUNT_SCANNERS, [toJudge]);
      return rows.map((row) => ({ outcome: row.outcome, message: toMessage(row) }));
    });
  }

  async find(references: readonly MessageReference[]): Promise<FoundMessage[]> {
    if (references.length === 0) return [];
    const rows = await this.database.query<Named & Pick<FoundMessage, 'outcome'>>(FIND_MESSAGES, toValues(references));
    return rows.map((row) => ({ outcome: row.outcome, message: toMessage(row) }));
  }
}

const toMessage = ({ messageId: id, recipient, contactId, campaignId }: Named): ReportedMessage | null =>
  id === null ? null : { id, recipient, contactId, campaignId };

const toValues = (references: readonly MessageReference[]): unknown[] => [
  JSON.stringify(references.map((reference, position) => ({ ...reference, position }))),
  present(references.map(({ messageId }) => messageId)),
];

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
