import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { StoredEvent } from '../../provider-events/index.js';
import { ApplySimulatedReports } from '../application/apply-simulated-reports.service.js';

/** The longest that a due report waits in an idle system; a poll reads an index that is empty without test messages. */
const POLL_INTERVAL_MS = 500;

/** Every worker polls, which works without a queue and for messages that any process has submitted. */
@Injectable()
export class SimulatedReportsPoll implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(SimulatedReportsPoll.name);
  private readonly stopping = new AbortController();
  private applying: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly applyReports: ApplySimulatedReports,
    private readonly config: Config,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.config.role === 'api' || this.applying !== null || this.stopping.signal.aborted) return;
    this.applying = this.apply().finally(() => (this.applying = null));
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.applying;
  }

  /** Logs an outage of the database once, and not twice a second. */
  private async apply(): Promise<void> {
    try {
      await this.applyReports.applyDue(this.stopping.signal, (events) => {
        this.report(events);
      });
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.error(`Simulated reports are not applied: ${(error as Error).message}`, (error as Error).stack);
      this.isFailing = true;
    }
  }

  private report(events: readonly StoredEvent[]): void {
    for (const { event, outcome } of events) {
      const { accountId, provider, id: eventId, type, messageId, providerMessageId } = event;
      this.metrics.providerEvents.inc({ provider, outcome });
      const ids = { messageId, providerMessageId };
      this.log.info({ event: 'provider_event', accountId, provider, eventId, type, outcome, ...ids });
    }
  }
}
