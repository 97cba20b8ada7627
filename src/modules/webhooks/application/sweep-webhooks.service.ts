import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc-day.js';
import { WebhookAlarm } from './ports/webhook-alarm.js';
import { WebhookLedger } from './ports/webhook-ledger.js';

const KEPT_DAYS = 14;
const FORGOTTEN_AT_ONCE = 1_000;

@Injectable()
export class SweepWebhooks {
  constructor(
    private readonly ledger: WebhookLedger,
    private readonly alarm: WebhookAlarm,
    private readonly clock: Clock,
  ) {}

  /** Rings for due retries, for what a killed worker left, and for what the queue lost. */
  async sweep(): Promise<void> {
    await this.alarm.ring(await this.ledger.dueEndpointsAcrossAccounts());
  }

  /** Lets go of deliveries that ended two weeks ago. */
  async letGo(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    while ((await this.ledger.forgetAcrossAccounts(before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }
}
