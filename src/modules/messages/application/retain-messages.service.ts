import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS, monthAfter } from '../../../shared/utc.js';
import { DailyUsage } from './ports/daily-usage.js';
import { IdempotencyStore } from './ports/idempotency-store.js';
import { MessageDigest } from './ports/message-digest.js';
import { MessagePartitions } from './ports/message-partitions.js';
import { Retention } from './ports/retention.js';

const MONTHS_AHEAD = 3;

/** Keeps room for new messages and lets go of old ones. */
@Injectable()
export class RetainMessages {
  constructor(
    private readonly partitions: MessagePartitions,
    private readonly usage: DailyUsage,
    private readonly earlierRequests: IdempotencyStore,
    private readonly digest: MessageDigest,
    private readonly retention: Retention,
    private readonly clock: Clock,
  ) {}

  async makeRoom(): Promise<void> {
    await this.partitions.ensure(this.clock.now(), 1 + MONTHS_AHEAD);
  }

  async letGo(): Promise<void> {
    await this.usage.forgetOldDaysAcrossAccounts();
    await this.earlierRequests.forgetExpiredAcrossAccounts();
    const now = this.clock.now();
    const { contentDays, messageMonths } = this.retention;
    if (contentDays > 0) await this.partitions.purgeContentsBefore(new Date(now.getTime() - contentDays * DAY_MS));
    if (messageMonths > 0) await this.partitions.dropMonthsBefore(monthAfter(now, -messageMonths));
    await this.digest.forgetDroppedMonthsAcrossAccounts();
  }
}
