import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { OutboxDispatcher } from '../application/outbox-dispatcher.service.js';

/** What an event waits at most before its deliveries exist; looking costs one read of an empty table. */
const LOOK_EVERY_MS = 250;

/** Every worker looks for events, whatever process wrote them and whether or not there is a queue. */
@Injectable()
export class OutboxPoll implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxPoll.name);
  private readonly stopping = new AbortController();
  private relaying: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly relayEvents: OutboxDispatcher,
    private readonly config: Config,
  ) {}

  @Interval(LOOK_EVERY_MS)
  look(): void {
    if (this.config.role === 'api' || this.relaying !== null || this.stopping.signal.aborted) return;
    this.relaying = this.relay().finally(() => (this.relaying = null));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.relaying;
  }

  /** A database that is away is told of once, and not four times a second. */
  private async relay(): Promise<void> {
    try {
      await this.relayEvents.relay(this.stopping.signal);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.error(`Events are not relayed: ${(error as Error).message}`, (error as Error).stack);
      this.isFailing = true;
    }
  }
}
