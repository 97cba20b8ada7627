import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { Clock } from '../../shared/ports/clock.js';
import { Database } from '../database/database.js';

/** Runs scheduled work in one process of the cluster: the first to insert (name, time bucket). */
@Injectable()
export class OncePerCluster {
  private readonly logger = new Logger(OncePerCluster.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** `everySeconds` is the interval of the schedule. An error of `work` is logged; the next run tries again. */
  async run(name: string, everySeconds: number, work: () => Promise<unknown>): Promise<void> {
    if (this.config.role === 'api') return;
    try {
      if (await this.isFirst(name, everySeconds)) await work();
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
