import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { QUEUE_NAMES, QUEUE_OF, type QueueName } from '../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../shared/ports/job-queue.js';
import type { QueueBackend } from './queue-backend.js';

const REACH_TIMEOUT_MS = 2_000;
const KEPT_FAILED_JOBS = 1_000;

/** Jobs are added one by one: BullMQ's bulk insertion on PostgreSQL makes temporary tables, which costs several jobs' worth. */
@Injectable()
export class BullJobQueue extends JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(BullJobQueue.name);
  private readonly queues = new Map<QueueName, Queue>();

  constructor(private readonly backend: QueueBackend) {
    super();
    for (const name of QUEUE_NAMES) this.open(name);
  }

  async enqueue(jobs: readonly NewJob[]): Promise<void> {
    await Promise.all(
      jobs.map(({ name, payload, delayMs = 0 }) =>
        this.queueOf(QUEUE_OF[name]).add(name, payload, {
          delay: delayMs,
          removeOnComplete: true,
          removeOnFail: KEPT_FAILED_JOBS,
        }),
      ),
    );
  }

  /** Jobs not yet finished, by queue. Throws where the queue does not answer in time. */
  async depths(): Promise<Record<string, number>> {
    const counted = Promise.all(
      QUEUE_NAMES.map(async (name) => {
        const counts = await this.queueOf(name).getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        return [name, Object.values(counts).reduce((sum, count) => sum + count, 0)] as const;
      }),
    );
    return Object.fromEntries(await withinTime(counted));
  }

  /** A BullMQ queue that could not connect when it was opened never does: the next use opens it anew. */
  private open(name: QueueName): Queue {
    const queue = this.backend.openQueue(name);
    queue.on('error', (error) => {
      this.logger.warn(`Queue ${name}: ${error.message}`);
    });
    queue.waitUntilReady().catch(() => {
      if (this.queues.get(name) === queue) this.queues.delete(name);
    });
    this.queues.set(name, queue);
    return queue;
  }

  private queueOf(name: QueueName): Queue {
    return this.queues.get(name) ?? this.open(name);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    await this.backend.close();
  }
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The queue does not answer'));
    }, REACH_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, expired]);
  } finally {
    clearTimeout(timer);
  }
}
