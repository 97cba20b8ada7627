import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { Retention } from '../domain/retention.js';
import { DailyUsage } from './ports/daily-usage.js';
import { IdempotencyStore } from './ports/idempotency-store.js';
import { MessagePartitions, MessageRollup } from './ports/message-maintenance.js';

const MONTHS_AHEAD = 3;

/** Creates partitions ahead of time and removes what is older than its retention period. */
@Injectable()
export class RetainMessages {
  constructor(
    private readonly partitions: MessagePartitions,
    private readonly usage: DailyUsage,
    private readonly idempotencyKeys: IdempotencyStore,
    private readonly rollup: MessageRollup,
    private readonly retention: Retention,
    private readonly clock: Clock,
  ) {}

  async ensurePartitions(): Promise<void> {
    await this.partitions.ensure(this.clock.now(), 1 + MONTHS_AHEAD);
  }

  async purgeExpired(): Promise<void> {
    await this.usage.purgeOldDaysAcrossAccounts();
    await this.idempotencyKeys.purgeExpiredAcrossAccounts();
    const now = this.clock.now();
    const contentsBefore = this.retention.contentsExpireBefore(now);
    if (contentsBefore) await this.partitions.purgeContentsBefore(contentsBefore);
    const { from, to } = this.retention.testContentsExpireBetween(now);
    await this.partitions.purgeTestContentsAcrossAccounts(from, to);
    const messagesBefore = this.retention.messagesExpireBefore(now);
    if (messagesBefore) await this.partitions.dropMonthsBefore(messagesBefore);
    await this.rollup.purgeDroppedMonthsAcrossAccounts();
  }
}
