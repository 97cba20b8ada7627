import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { RateSlots } from '../../../platform/rate-limit/rate-slots.js';
import { SyncRate } from '../application/ports/sms-account-gateway.js';

/** SNS allows 50 requests a second about a number and 10 for a page. */
const NUMBERS_PER_PAGE = 5;

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

  async reserve(source: string, request: 'page' | 'number'): Promise<number> {
    const intervalMs = request === 'page' ? this.pageIntervalMs : this.pageIntervalMs / NUMBERS_PER_PAGE;
    const { waitMs } = await this.slots.reserve(`sns opt-outs ${source}`, { count: 1, intervalMs });
    return waitMs;
  }
}
