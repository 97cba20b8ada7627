import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { Channel } from '../../../shared/channel.js';
import { chunk } from '../../../shared/collections.js';
import { DELIVERY_JOB_OF, type DeliveryPayload } from '../../../shared/jobs.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { DeliverMessages, type DeliveryReport } from '../application/deliver-messages.service.js';

/** Chunks of one account that a process works on at a time. */
const CHUNKS_PER_ACCOUNT = 3;
const CHUNK = 50;
/** Ids of one account that wait in a process. What is beyond them comes back later: a relay that hangs holds up only its own account. */
const WAITING_PER_ACCOUNT = 5_000;
const COME_BACK_AFTER_MS = 2_000;
/** After that a job leaves its place in the queue to those of other accounts, and its work goes on beside. */
const HOLDS_ITS_PLACE_MS = 500;
/** What goes on beside at most, over all accounts: it holds the messages it has claimed in memory. */
const MAX_DETACHED = 500;

interface Line {
  waiting: string[];
  working: number;
}

/** Delivers the messages of one channel; each has its own queue, so that neither delays the other. */
@Injectable()
export abstract class DeliveryHandler {
  protected abstract readonly channel: Channel;
  private readonly lines = new Map<string, Line>();
  private working = 0;

  constructor(
    private readonly deliverMessages: DeliverMessages,
    private readonly queue: JobQueue,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  /**
   * A job whose account is being worked on leaves its ids to that work. No job holds its place for long: an account whose
   * provider is slow, or takes few messages a second, must not keep the places from the others.
   */
  async handle(
    { accountId, messageIds }: DeliveryPayload,
    stopping: AbortSignal,
    detach: (work: Promise<void>) => void,
  ): Promise<void> {
    const line = this.lines.get(accountId) ?? { waiting: [], working: 0 };
    if (stopping.aborted || line.waiting.length + messageIds.length > WAITING_PER_ACCOUNT) {
      await this.handBack(accountId, messageIds, stopping.aborted ? 0 : COME_BACK_AFTER_MS);
      return;
    }
    this.lines.set(accountId, line);
    line.waiting.push(...messageIds);
    if (line.working >= CHUNKS_PER_ACCOUNT) return;
    const work = this.work(accountId, line, stopping);
    if (this.working > MAX_DETACHED) return work;
    const isDone = await Promise.race([work.then(() => true), pause(HOLDS_ITS_PLACE_MS, false, { ref: false })]);
    if (!isDone) detach(work);
  }

  private async work(accountId: string, line: Line, stopping: AbortSignal): Promise<void> {
    line.working += 1;
    this.working += 1;
    try {
      while (line.waiting.length > 0 && !stopping.aborted) {
        const ids = line.waiting.splice(0, CHUNK);
        await this.deliverMessages.deliver(this.channel, accountId, ids, stopping, (report) => {
          this.tell(accountId, report);
        });
      }
      if (stopping.aborted) await this.handBack(accountId, line.waiting.splice(0), 0);
    } finally {
      line.working -= 1;
      this.working -= 1;
      if (line.working === 0 && line.waiting.length === 0) this.lines.delete(accountId);
    }
  }

  private async handBack(accountId: string, ids: string[], delayMs: number): Promise<void> {
    const name = DELIVERY_JOB_OF[this.channel];
    const jobs = chunk(ids, CHUNK).map((messageIds) => ({ name, payload: { accountId, messageIds }, delayMs }));
    if (jobs.length > 0) await this.queue.enqueue(jobs);
  }

  private tell(accountId: string, { messageId, attempt, outcome, durationMs }: DeliveryReport): void {
    this.metrics.deliveries.observe({ channel: this.channel, outcome }, durationMs / 1_000);
    this.log.info({
      event: 'delivery',
      channel: this.channel,
      accountId,
      messageId,
      attempt,
      outcome,
      durationMs: Math.round(durationMs),
    });
  }
}
