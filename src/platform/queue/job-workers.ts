import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Job, Worker } from 'bullmq';

import { Config } from '../../config/config.js';
import { type JobName, type JobPayloads, QUEUE_NAMES, QUEUE_OF, type QueueName } from '../../shared/jobs.js';
import { HandlesJob, type JobHandler } from './job-handler.js';
import type { QueueBackend } from './queue-backend.js';

/** Jobs of one queue that a process works on at a time. */
const CONCURRENCY: Record<QueueName, number> = {
  'email-delivery': 100,
  maintenance: 2,
  'sms-delivery': 50,
  'webhook-delivery': 10,
};

/** Once no job runs any more, the queue has this long to take leave. */
const CLOSES_WITHIN_MS = 2_000;

/** Runs the handlers of all jobs, in a process whose role is to work. */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private workers: Worker[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly backend: QueueBackend,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    setMaxListeners(0, this.stopping.signal); // every message that waits for its turn listens
    const handlers = this.handlers();
    if (this.config.role === 'api') return;
    this.workers = QUEUE_NAMES.map((queue) => this.openWorker(queue, handlers));
  }

  /** Takes no more jobs and waits for those in flight, but not for a queue that cannot be reached. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    const given = new AbortController();
    const gaveUp = Promise.allSettled(this.running).then(() =>
      pause(CLOSES_WITHIN_MS, undefined, { signal: given.signal }),
    );
    gaveUp.catch(() => undefined); // not needed any more
    await Promise.race([closed, gaveUp]);
    given.abort();
    await Promise.allSettled(this.running);
  }

  private openWorker(queue: QueueName, handlers: ReadonlyMap<string, JobHandler<JobName>>): Worker {
    const process = async (job: Job): Promise<void> => {
      const handler = handlers.get(job.name);
      if (!handler) throw new Error(`No handler for the job ${job.name}`);
      const detach = (work: Promise<void>) => {
        this.track(work).catch((error: unknown) => {
          this.logger.error(`Job ${job.name} failed: ${(error as Error).message}`, (error as Error).stack);
        });
      };
      await this.track(handler.handle(job.data as JobPayloads[JobName], this.stopping.signal, detach));
    };
    const worker = this.backend.openWorker(queue, process, CONCURRENCY[queue]);
    worker.on('error', (error) => {
      this.logger.warn(`Worker of ${queue}: ${error.message}`);
    });
    worker.on('failed', (job, error) => {
      this.logger.error(`Job ${job?.name ?? '?'} failed: ${error.message}`, error.stack);
    });
    return worker;
  }

  private track(work: Promise<void>): Promise<void> {
    this.running.add(work);
    return work.finally(() => this.running.delete(work));
  }

  /** Every job has exactly one handler, or the start fails. */
  private handlers(): Map<JobName, JobHandler<JobName>> {
    const handlers = new Map<JobName, JobHandler<JobName>>();
    for (const provider of this.discovery.getProviders()) {
      const name = this.discovery.getMetadataByDecorator(HandlesJob, provider);
      if (name === undefined) continue;
      if (handlers.has(name)) throw new Error(`The job ${name} has two handlers`);
      handlers.set(name, provider.instance as JobHandler<JobName>);
    }
    const missing = (Object.keys(QUEUE_OF) as JobName[]).filter((name) => !handlers.has(name));
    if (missing.length > 0) throw new Error(`No handler for the jobs ${missing.join(', ')}`);
    return handlers;
  }
}
