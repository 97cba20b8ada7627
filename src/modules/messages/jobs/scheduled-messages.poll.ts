import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { ReleaseScheduled } from '../application/release-scheduled.service.js';

/** The longest that a scheduled message waits beyond its time in an idle system; a poll reads an index. */
const POLL_INTERVAL_MS = 500;

/** Every worker polls: so each gets about as many messages into the queue as it can deliver. */
@Injectable()
export class ScheduledMessagesPoll implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(ScheduledMessagesPoll.name);
  private releasing: Promise<void> | null = null;
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly releaseScheduled: ReleaseScheduled,
    private readonly config: Config,
  ) {}

  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.config.role === 'api' || this.releasing !== null || this.isStopping) return;
    this.releasing = this.release().finally(() => (this.releasing = null));
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.releasing;
  }

  /** Logs an outage of the database once, and not twice a second. */
  private async release(): Promise<void> {
    try {
      await this.releaseScheduled.release();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.error(`Scheduled messages are not released: ${(error as Error).message}`, (error as Error).stack);
      this.isFailing = true;
    }
  }
}
