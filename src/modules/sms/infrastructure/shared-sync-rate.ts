import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { RateSlots } from '../../../platform/rate-limit/rate-slots.js';
import { SyncRate } from '../application/ports/sync-rate.js';

/** SNS allows 50 requests a second about single numbers, and 10 for pages of the list. */
const NUMBER_REQUESTS_PER_PAGE_REQUEST = 5;

@Injectable()
export class SharedSyncRate extends SyncRate {
  readonly pageIntervalMs: number;

  constructor(
    private readonly slots: RateSlots,
    config: Config,
  ) {
    super();
    this.pageIntervalMs = 1_000 / config.smsSyncPagesPerSecond;
  }

  async reserve(subject: string, request: 'page' | 'number'): Promise<number> {
    const intervalMs =
      request === 'page' ? this.pageIntervalMs : this.pageIntervalMs / NUMBER_REQUESTS_PER_PAGE_REQUEST;
    const { waitMs } = await this.slots.reserve(subject, { count: 1, intervalMs });
    return waitMs;
  }
}
