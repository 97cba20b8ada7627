import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { MAX_WAITING_VISITS } from '../../../config/limits.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { newId } from '../../../shared/ids.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { type RecordedVisit, type ReportedVisit, TimelineRepository } from '../../messages/index.js';
import type { Visit } from '../domain/visit.js';
import { VisitLog } from './ports/visit-log.js';

const MAX_BATCH_SIZE = 200;
const RETRY_DELAY_MS = 500;

/**
 * Records visits on the timelines of their messages, in batches and in the background: visitors wait for nothing. While
 * the database is away visits are kept in memory; beyond `MAX_WAITING_VISITS` they are dropped and counted. On shutdown
 * the waiting visits are written once more: the database closes after everything else.
 */
@Injectable()
export class RecordVisits implements OnApplicationShutdown {
  private readonly batcher: Batcher<Visit, RecordedVisit>;
  private readonly waiting = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private isFull = false;
  private hasGivenUp = false;

  constructor(
    private readonly timelines: TimelineRepository,
    private readonly faults: DatabaseFaults,
    private readonly log: VisitLog,
  ) {
    this.batcher = new Batcher((visits) => this.writeBatch(visits), { maxSize: MAX_BATCH_SIZE, faults });
  }

  /** Returns at once. */
  add(visit: Visit): void {
    if (this.waiting.size >= MAX_WAITING_VISITS) {
      if (!this.isFull) this.log.warnFull(this.waiting.size);
      this.isFull = true;
      this.log.count(visit, 'dropped');
      return;
    }
    this.isFull = false;
    const done = this.record(visit).finally(() => this.waiting.delete(done));
    this.waiting.add(done);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.waiting);
  }

  private async record(visit: Visit): Promise<void> {
    try {
      this.log.count(visit, await this.writeUnlocked(visit));
    } catch (error) {
      this.log.count(visit, 'failed');
      this.log.warnFailed(visit, error as Error);
    }
  }

  /** Tries again while the message is locked: visits of others do not wait with it. */
  private async writeUnlocked(visit: Visit): Promise<RecordedVisit> {
    for (;;) {
      const isLastTry = this.stopping.signal.aborted;
      const outcome = await this.batcher.add(visit);
      if (outcome !== 'locked') return outcome;
      if (isLastTry) throw new Error('The service stops while another transaction has locked the message');
      await this.waitToRetry();
    }
  }

  /** Ends at once when the service stops. */
  private async waitToRetry(): Promise<void> {
    await pause(RETRY_DELAY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** Retries while the database is away; once the service stops, all batches together get one last try. */
  private async writeBatch(visits: Visit[]): Promise<RecordedVisit[]> {
    for (;;) {
      const isLastTry = this.stopping.signal.aborted;
      try {
        if (this.hasGivenUp) throw new Error('The service stops while the database is away');
        return await this.timelines.recordVisitsAcrossAccounts(visits.map(toReport));
      } catch (error) {
        if (!this.faults.isUnavailable(error)) throw error;
        this.hasGivenUp = isLastTry;
        if (isLastTry) throw error;
        await this.waitToRetry();
      }
    }
  }
}

/** Each visit gets an id of its own: two equal visits are two events. */
function toReport({ messageId, type, at, url, userAgent, ip, automated }: Visit): ReportedVisit {
  const data = { ...(url === null ? {} : { url }), userAgent, ip, ...(automated ? { automated } : {}) };
  return { id: newId(at), messageId, type, occurredAt: at, data };
}
