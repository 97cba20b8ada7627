import { Injectable } from '@nestjs/common';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { StoredEvent } from '../application/account-event.js';
import type { ReceivedReply } from '../application/receive-reports.service.js';

/** Counts and logs the reports of providers. */
@Injectable()
export class ProviderEventLog {
  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  stored(events: readonly StoredEvent[]): void {
    for (const { event, outcome } of events) {
      const { accountId, provider, id: eventId, type, messageId, providerMessageId } = event;
      this.metrics.providerEvents.inc({ provider, outcome });
      const ids = { messageId, providerMessageId };
      this.log.info({ event: 'provider_event', accountId, provider, eventId, type, outcome, ...ids });
    }
  }

  replied(accountId: string, reply: ReceivedReply): void {
    this.metrics.providerEvents.inc({ provider: reply.provider, outcome: reply.outcome });
    this.log.info({ event: 'sms_inbound', accountId, ...reply });
  }
}
