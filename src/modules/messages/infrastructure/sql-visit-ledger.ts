import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { idPrefix } from '../../../shared/ids.js';
import { EventLedger } from '../application/ports/event-ledger.js';
import { VisitLedger } from '../application/ports/visit-ledger.js';
import type { RecordedEvent } from '../domain/reported-event.js';
import type { ReportedVisit } from '../domain/reported-visit.js';
import { DISCOUNT_AUTOMATED_CLICKS, FIND_ACCOUNTS } from './visit.sql.js';

/** Beyond the second that matters: ids tell the time to the millisecond. */
const PACE_MS = 2_000;

@Injectable()
export class SqlVisitLedger extends VisitLedger {
  constructor(
    private readonly database: Database,
    private readonly events: EventLedger,
  ) {
    super();
  }

  async recordAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedEvent['outcome'][]> {
    const accounts = await this.findAccounts(visits);
    const reports = visits.map((visit) => ({
      ...visit,
      accountId: accounts.get(visit.messageId) ?? '',
      providerMessageId: null,
      recipient: null,
    }));
    return this.database.run(async () => {
      const recorded = await this.events.record(reports);
      await this.discountAutomated(visits.filter(({ type }) => type === 'clicked'));
      return recorded.map(({ outcome }) => outcome);
    });
  }

  private async findAccounts(visits: readonly ReportedVisit[]): Promise<Map<string, string>> {
    const found = await this.database.prepared<{ id: string; accountId: string }>('find_accounts', FIND_ACCOUNTS, [
      idsOf(visits),
    ]);
    return new Map(found.map(({ id, accountId }) => [id, accountId]));
  }

  private async discountAutomated(clicks: readonly ReportedVisit[]): Promise<void> {
    if (clicks.length === 0) return;
    const times = clicks.map(({ occurredAt }) => occurredAt.getTime());
    await this.database.prepared('discount_automated_clicks', DISCOUNT_AUTOMATED_CLICKS, [
      idsOf(clicks),
      idPrefix(new Date(Math.min(...times) - PACE_MS)),
      idPrefix(new Date(Math.max(...times) + PACE_MS)),
    ]);
  }
}

const idsOf = (visits: readonly ReportedVisit[]): string[] => [...new Set(visits.map(({ messageId }) => messageId))];
