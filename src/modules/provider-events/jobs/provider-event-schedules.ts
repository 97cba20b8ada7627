import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { MatchEvents } from '../application/match-events.service.js';
import { StoreReply } from '../application/store-reply.service.js';

const MATCH_SECONDS = 10;
const HOUR_SECONDS = 3_600;

@Injectable()
export class ProviderEventSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly matchEvents: MatchEvents,
    private readonly storeReply: StoreReply,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  @Cron(`*/${MATCH_SECONDS} * * * * *`, { waitForCompletion: true })
  async match(): Promise<void> {
    await this.once.run('match-events', MATCH_SECONDS, (signal) =>
      this.matchEvents.match(signal, (events) => {
        for (const { accountId, provider, id, type, providerMessageId } of events) {
          this.metrics.providerEvents.inc({ provider, outcome: 'matched' });
          const line = { accountId, provider, eventId: id, type, outcome: 'matched', providerMessageId };
          this.log.info({ event: 'provider_event', ...line });
        }
      }),
    );
  }

  @Cron('0 47 * * * *', { waitForCompletion: true })
  async purgeReplies(): Promise<void> {
    await this.once.run('purge-sms-replies', HOUR_SECONDS, () => this.storeReply.purgeExpired());
  }

  @Cron('0 37 * * * *', { waitForCompletion: true })
  async purgeUnmatched(): Promise<void> {
    await this.once.run('purge-unmatched-events', HOUR_SECONDS, async () => {
      for (const { provider, count } of await this.matchEvents.purgeExpired()) {
        this.metrics.providerEvents.inc({ provider, outcome: 'expired' }, count);
        this.log.warn({ event: 'provider_events_expired', provider, count });
      }
    });
  }
}
