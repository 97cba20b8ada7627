import { setTimeout as pause } from 'node:timers/promises';

import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { Clock } from '../../shared/ports/clock.js';
import { Database } from '../database/database.js';

/** A stop waits for running work for this share of SHUTDOWN_GRACE_MS. */
const WAITING_SHARE = 1 / 3;

/** Runs scheduled work in one process of the cluster: the first to insert (name, time bucket). */
@Injectable()
export class OncePerCluster implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(OncePerCluster.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * `everySeconds` is the interval of the schedule. An error of `work` is logged; the next run tries again. Nothing is
   * started while the process stops, and `work` that may take long ends early once `signal` is aborted.
   */
  async run(name: string, everySeconds: number, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    if (this.config.role === 'api' || this.stopping.signal.aborted) return;
    const run = this.runIfFirst(name, everySeconds, work).finally(() => this.running.delete(run));
    this.running.add(run);
    await run;
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Work that takes longer fails when the database closes, and is repeated by the next run. */
  async beforeApplicationShutdown(): Promise<void> {
    const timedOut = pause(this.config.shutdownGraceMs * WAITING_SHARE, undefined, { ref: false });
    await Promise.race([Promise.all(this.running), timedOut]);
  }

  private async runIfFirst(
    name: string,
    everySeconds: number,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const { signal } = this.stopping;
    try {
      if ((await this.isFirst(name, everySeconds)) && !signal.aborted) await work(signal);
    } catch (error) {
      this.logger.error(`The schedule ${name} failed: ${(error as Error).message}`, (error as Error).stack);
    }
  }

  private async isFirst(name: string, everySeconds: number): Promise<boolean> {
    const interval = everySeconds * 1_000;
    const bucket = new Date(Math.floor(this.clock.now().getTime() / interval) * interval);
    const inserted = await this.database.query(
      'INSERT INTO schedule_runs (name, bucket) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name',
      [name, bucket],
    );
    if (inserted.length === 0) return false;
    await this.database.query('DELETE FROM schedule_runs WHERE name = $1 AND bucket < $2', [name, bucket]);
    return true;
  }
}
