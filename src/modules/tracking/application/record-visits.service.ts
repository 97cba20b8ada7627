import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { type RecordedEvent, type ReportedVisit, TimelineRepository } from '../../messages/index.js';
import type { Visit } from '../domain/visit.js';

/** Puts visits on the timelines of their messages. */
@Injectable()
export class RecordVisits {
  constructor(private readonly timelines: TimelineRepository) {}

  record(visits: readonly Visit[]): Promise<RecordedEvent['outcome'][]> {
    return this.timelines.recordVisitsAcrossAccounts(visits.map(toReport));
  }
}

/** Each visit is a new fact, however alike two are. */
function toReport({ messageId, type, at, url, userAgent, ip, automated }: Visit): ReportedVisit {
  const data = { ...(url === null ? {} : { url }), userAgent, ip, ...(automated ? { automated } : {}) };
  return { id: newId(at), messageId, type, occurredAt: at, data };
}
