import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../database/database.js';
import { BullJobQueue } from '../queue/bull-job-queue.js';
import { RequestsInFlight } from './requests-in-flight.js';

export interface Health {
  status: 'up' | 'degraded' | 'down';
  checks: Record<string, 'up' | 'down'>;
}

/** Checks whether this process can do its work. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);

  constructor(
    private readonly database: Database,
    private readonly queue: BullJobQueue,
    private readonly inFlight: RequestsInFlight,
  ) {}

  /**
   * `down` without the database or shortly before requests are refused; `degraded` without the queue, because a sweep
   * finds the work later.
   */
  async check(): Promise<Health> {
    const [database, queue] = await Promise.all([
      this.reaches('database', this.database.ping()),
      this.reaches('queue', this.queue.depths()),
    ]);
    const load = this.inFlight.isNearlyFull ? 'down' : 'up';
    const isDown = database === 'down' || load === 'down';
    const status = isDown ? 'down' : queue === 'down' ? 'degraded' : 'up';
    return { status, checks: { database, queue, load } };
  }

  private async reaches(what: string, answer: Promise<unknown>): Promise<'up' | 'down'> {
    try {
      await answer;
      return 'up';
    } catch (error) {
      this.logger.warn(`Not reachable: ${what}: ${(error as Error).message}`);
      return 'down';
    }
  }
}
