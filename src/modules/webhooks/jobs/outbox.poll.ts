import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { OutboxDispatcher } from '../application/outbox-dispatcher.service.js';

/** The longest that an event waits in the outbox of an idle system; a poll reads one empty table. */
const POLL_INTERVAL_MS = 250;

/** Every worker polls the outbox, which works without a queue and for events of any process. */
@Injectable()
export class OutboxPoll implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxPoll.name);
  private readonly stopping = new AbortController();
  private dispatching: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly dispatcher: OutboxDispatcher,
    private readonly config: Config,
  ) {}

  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.config.role === 'api' || this.dispatching !== null || this.stopping.signal.aborted) return;
    this.dispatching = this.dispatch().finally(() => (this.dispatching = null));
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.dispatching;
  }

  /** Logs an outage of the database once, and not four times a second. */
  private async dispatch(): Promise<void> {
    try {
      await this.dispatcher.dispatch(this.stopping.signal);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.error(`Events are not dispatched: ${(error as Error).message}`, (error as Error).stack);
      this.isFailing = true;
    }
  }
}
