import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { Outcome } from '../application/account-event.js';
import { EventIntake } from '../application/ports/event-intake.js';
import { type Report, StoreReports } from '../application/store-reports.service.js';

/** Of a vendor each can hold hundreds of events. */
const MAX_BATCH = 100;

/** Reports that arrive while a transaction commits share the next one. */
@Injectable()
export class BatchedEventIntake extends EventIntake {
  private readonly reports: Batcher<Report, Outcome[]>;

  constructor(
    storeReports: StoreReports,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    super();
    this.reports = new Batcher((batch) => storeReports.store(batch), { maxSize: MAX_BATCH, isRowFault });
  }

  async take(report: Report): Promise<void> {
    const outcomes = await this.reports.add(report);
    report.events.forEach(({ accountId, provider, id, type, messageId, providerMessageId }, i) => {
      const outcome = outcomes[i] ?? 'unknown';
      this.metrics.providerEvents.inc({ provider, outcome });
      const line = { accountId, provider, eventId: id, type, outcome, messageId, providerMessageId };
      this.log.info({ event: 'provider_event', ...line });
    });
  }
}
