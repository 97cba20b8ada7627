import { Injectable } from '@nestjs/common';

import { KeyedBatcher } from '../../../shared/keyed-batcher.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-faults.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { Outcome } from '../application/account-event.js';
import { EventIntake } from '../application/ports/event-intake.js';
import { type Portion, type Report, StoreReports, toPortions } from '../application/store-reports.service.js';

/** Stored within a fraction of a second. A post can hold many times as many. */
const MAX_EVENTS = 1_000;
/** Each batch takes a connection. */
const ACCOUNTS_AT_ONCE = 4;

/** Reports that arrive while a transaction of their account commits share its next one. */
@Injectable()
export class BatchedEventIntake extends EventIntake {
  private readonly lines: KeyedBatcher<Portion, Outcome[]>;

  constructor(
    storeReports: StoreReports,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    super();
    this.lines = new KeyedBatcher((portions) => storeReports.store(portions), {
      maxSize: MAX_EVENTS,
      sizeOf: ({ events }) => Math.max(1, events.length),
      atOnce: ACCOUNTS_AT_ONCE,
      faults: POSTGRES_FAULTS,
    });
  }

  /** One portion after the other, so that a large post lets smaller ones of its account in between. */
  async take(report: Report): Promise<void> {
    for (const portion of toPortions(report, MAX_EVENTS)) {
      this.tell(portion, await this.lines.add(portion.accountId, portion));
    }
  }

  private tell({ events }: Portion, outcomes: readonly Outcome[]): void {
    events.forEach(({ accountId, provider, id, type, messageId, providerMessageId }, i) => {
      const outcome = outcomes[i] ?? 'unknown';
      this.metrics.providerEvents.inc({ provider, outcome });
      const line = { accountId, provider, eventId: id, type, outcome, messageId, providerMessageId };
      this.log.info({ event: 'provider_event', ...line });
    });
  }
}
