import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Batcher } from '../../../shared/batcher.js';
import { isDatabaseUnavailable } from '../../../platform/database/postgres-errors.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-faults.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { VisitLog } from '../application/ports/visit-log.js';
import { RecordVisits } from '../application/record-visits.service.js';
import type { Visit } from '../domain/visit.js';

const MAX_WAITING = 10_000;
const AGAIN_AFTER_MS = 500;

/**
 * Visits wait in memory for the statement before theirs, and for a database that is away. Beyond a bound they are dropped
 * and counted. At a stop, what waits is written once more: the database closes after everything else.
 */
@Injectable()
export class BufferedVisitLog extends VisitLog implements OnApplicationShutdown {
  private readonly batcher = new Batcher((visits: Visit[]) => this.write(visits), {
    maxSize: 200,
    faults: POSTGRES_FAULTS,
  });
  private readonly waiting = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private isFull = false;
  private hasGivenUp = false;

  constructor(
    private readonly recordVisits: RecordVisits,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    super();
  }

  add(visit: Visit): void {
    if (this.waiting.size >= MAX_WAITING) {
      if (!this.isFull) this.log.warn({ event: 'visits', outcome: 'dropped', waiting: this.waiting.size });
      this.isFull = true;
      this.count(visit, 'dropped');
      return;
    }
    this.isFull = false;
    const done = this.settle(visit).finally(() => this.waiting.delete(done));
    this.waiting.add(done);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.waiting);
  }

  private async settle(visit: Visit): Promise<void> {
    try {
      this.count(visit, await this.batcher.add(visit));
    } catch (error) {
      this.count(visit, 'failed');
      const { messageId, type } = visit;
      this.log.warn({ event: 'visits', outcome: 'failed', messageId, type, error: (error as Error).message });
    }
  }

  private async write(visits: Visit[]): ReturnType<RecordVisits['record']> {
    for (;;) {
      const isLastTry = this.stopping.signal.aborted;
      try {
        if (this.hasGivenUp) throw new Error('The service stops while the database is away');
        return await this.recordVisits.record(visits);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        this.hasGivenUp = isLastTry;
        if (isLastTry) throw error;
        await pause(AGAIN_AFTER_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private count({ type }: Visit, outcome: string): void {
    this.metrics.visits.inc({ type, outcome });
  }
}
