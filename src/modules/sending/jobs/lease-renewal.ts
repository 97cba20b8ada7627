import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { DeliverMessages } from '../application/deliver-messages.service.js';

const RENEW_EVERY_MS = 10_000;

@Injectable()
export class LeaseRenewal {
  constructor(
    private readonly deliverMessages: DeliverMessages,
    private readonly log: Log,
  ) {}

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverMessages.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-leases', error: (error as Error).message });
    });
  }
}
