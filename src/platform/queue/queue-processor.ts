import { setMaxListeners } from 'node:events';

import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';

import type { JobName, JobOf, JobPayloads, QueueName } from '../../shared/jobs.js';
import { RECONNECT_WITHIN_MS } from './redis-client.js';

/**
 * The options for `@Processor`. Each queue adds its `concurrency`, the number of jobs that a process runs at a time.
 */
export const WORKER_OPTIONS = { runRetryDelay: RECONNECT_WITHIN_MS } satisfies Partial<WorkerOptions>;

/**
 * The job is done when the handler resolves. An error is a defect and shows as a failed job; what is to be retried is
 * written to the database instead. Once `stopping` is aborted, the handler must not take new work. Work passed to
 * `detach` continues after the job has ended, and a graceful stop waits for it too.
 */
export type JobHandler<N extends JobName> = (
  payload: JobPayloads[N],
  stopping: AbortSignal,
  detach: (work: Promise<void>) => void,
) => Promise<void>;

/** One handler for each job of the queue, and none for other jobs. */
export type JobHandlers<Q extends QueueName> = { readonly [N in JobOf<Q>]: JobHandler<N> };

/** Runs the jobs of one queue. Each queue has one subclass, marked with `@Processor`. */
export abstract class QueueProcessor<Q extends QueueName> extends WorkerHost {
  abstract readonly handlers: JobHandlers<Q>;
  private readonly logger = new Logger(QueueProcessor.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor() {
    super();
    setMaxListeners(0, this.stopping.signal); // every message that waits for its slot listens
  }

  async process({ name, data }: Job): Promise<void> {
    if (!Object.hasOwn(this.handlers, name)) throw new Error(`No handler for the job ${name}`);
    const handle = this.handlers[name as JobOf<Q>] as JobHandler<never>;
    const detach = (work: Promise<void>) => {
      this.track(work).catch((error: unknown) => {
        this.logger.error(`Job ${name} failed: ${(error as Error).message}`, (error as Error).stack);
      });
    };
    await this.track(handle(data as never, this.stopping.signal, detach));
  }

  /** Signals the running jobs to take no new work. */
  stop(): void {
    this.stopping.abort();
  }

  /** Resolves when the running jobs, and the work detached from them, have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Worker of ${this.worker.name}: ${error.message}`);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.error(`Job ${job?.name ?? '?'} failed: ${error.message}`, error.stack);
  }

  private track(work: Promise<void>): Promise<void> {
    this.running.add(work);
    return work.finally(() => this.running.delete(work));
  }
}
