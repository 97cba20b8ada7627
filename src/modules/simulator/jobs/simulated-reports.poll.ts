import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Poll } from '../../../platform/scheduling/poll.js';
import type { StoredEvent } from '../../provider-events/index.js';
import { ApplySimulatedReports } from '../application/apply-simulated-reports.service.js';

/** The longest that a due report waits in an idle system; a poll reads an index that is empty without test messages. */
const POLL_INTERVAL_MS = 500;

/** Every worker polls, which works without a queue and for messages that any process has submitted. */
@Injectable()
export class SimulatedReportsPoll extends Poll {
  protected readonly failure = 'Simulated reports are not applied';

  constructor(
    private readonly applyReports: ApplySimulatedReports,
    config: Config,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    super(config);
  }

  @Interval(POLL_INTERVAL_MS)
  override poll(): void {
    super.poll();
  }

  protected run(stopping: AbortSignal): Promise<unknown> {
    return this.applyReports.applyDue(stopping, (events) => {
      this.report(events);
    });
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
