import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { TimelineRepository } from '../application/ports/timeline.repository.js';
import { VisitRepository } from '../application/ports/visit.repository.js';
import type { RecordedEvent } from '../domain/reported-event.js';
import type { ReportedVisit } from '../domain/reported-visit.js';
import { FIND_ACCOUNTS } from './visit.sql.js';

@Injectable()
export class SqlVisitRepository extends VisitRepository {
  constructor(
    private readonly database: Database,
    private readonly events: TimelineRepository,
  ) {
    super();
  }

  async recordAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedEvent['outcome'][]> {
    const accounts = await this.findAccounts(visits);
    const reports = visits.map(({ id, ...visit }) => ({
      ...visit,
      key: id,
      accountId: accounts.get(visit.messageId) ?? '',
      channel: 'email' as const,
      providerMessageId: null,
      recipient: null,
    }));
    const recorded = await this.events.record(reports);
    return recorded.map(({ outcome }) => outcome);
  }

  private async findAccounts(visits: readonly ReportedVisit[]): Promise<Map<string, string>> {
    const found = await this.database.prepared<{ id: string; accountId: string }>('find_accounts', FIND_ACCOUNTS, [
      idsOf(visits),
    ]);
    return new Map(found.map(({ id, accountId }) => [id, accountId]));
  }
}

const idsOf = (visits: readonly ReportedVisit[]): string[] => [...new Set(visits.map(({ messageId }) => messageId))];
