import { type BeforeApplicationShutdown, Logger, type OnModuleDestroy } from '@nestjs/common';

import type { Config } from '../../config/config.js';

/**
 * Work that every worker repeats at an interval, for which a subclass calls `poll`. Only one run at a time; a stop
 * waits for it. An outage is logged once, not with each run.
 */
export abstract class Poll implements OnModuleDestroy, BeforeApplicationShutdown {
  /** The log message of an outage. */
  protected abstract readonly failure: string;
  private readonly logger = new Logger(this.constructor.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private isFailing = false;

  protected constructor(private readonly config: Config) {}

  poll(): void {
    if (this.config.role === 'api' || this.running !== null || this.stopping.signal.aborted) return;
    this.running = this.runOnce().finally(() => (this.running = null));
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  protected abstract run(stopping: AbortSignal): Promise<unknown>;

  private async runOnce(): Promise<void> {
    try {
      await this.run(this.stopping.signal);
      this.isFailing = false;
    } catch (error) {
      const { message, stack } = error as Error;
      if (!this.isFailing) this.logger.error(`${this.failure}: ${message}`, stack);
      this.isFailing = true;
    }
  }
}
