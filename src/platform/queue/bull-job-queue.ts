import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { QUEUE_NAMES, QUEUE_OF, type QueueName } from '../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../shared/ports/job-queue.js';
import { closeQueueClient, ensureReady, QUEUE_CLIENT, type QueueClient } from './queue-client.js';

const DEPTHS_TIMEOUT_MS = 2_000;

/** Adds jobs one by one: BullMQ's bulk insertion on PostgreSQL creates temporary tables, which costs more. */
@Injectable()
export class BullJobQueue extends JobQueue implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(BullJobQueue.name);
  private readonly queues: Readonly<Record<QueueName, Queue>>;

  // eslint-disable-next-line @typescript-eslint/max-params -- one per queue
  constructor(
    @InjectQueue('bulk-delivery') bulkDelivery: Queue,
    @InjectQueue('bulk-sms-delivery') bulkSmsDelivery: Queue,
    @InjectQueue('campaigns') campaigns: Queue,
    @InjectQueue('email-delivery') emailDelivery: Queue,
    @InjectQueue('maintenance') maintenance: Queue,
    @InjectQueue('sms-delivery') smsDelivery: Queue,
    @InjectQueue('webhook-delivery') webhookDelivery: Queue,
    @Inject(QUEUE_CLIENT) private readonly client: QueueClient,
  ) {
    super();
    this.queues = {
      'bulk-delivery': bulkDelivery,
      'bulk-sms-delivery': bulkSmsDelivery,
      campaigns,
      'email-delivery': emailDelivery,
      maintenance,
      'sms-delivery': smsDelivery,
      'webhook-delivery': webhookDelivery,
    };
    for (const queue of Object.values(this.queues))
      queue.on('error', (error) => {
        this.logger.warn(`Queue ${queue.name}: ${error.message}`);
      });
  }

  async onModuleInit(): Promise<void> {
    await ensureReady(this.client, Object.values(this.queues));
  }

  async enqueue(jobs: readonly NewJob[]): Promise<void> {
    await Promise.all(
      jobs.map(({ name, payload, delayMs = 0 }) => this.queues[QUEUE_OF[name]].add(name, payload, { delay: delayMs })),
    );
  }

  /** Unfinished jobs by queue. Throws if the queue does not answer in time. */
  async depths(): Promise<Record<string, number>> {
    const counted = Promise.all(
      QUEUE_NAMES.map(async (name) => {
        const counts = await this.queues[name].getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        return [name, Object.values(counts).reduce((sum, count) => sum + count, 0)] as const;
      }),
    );
    return Object.fromEntries(await withinTime(counted));
  }

  /** Closes the client after the queues, which use it. Nest closes the queues too; a second close has no effect. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.queues).map((queue) => queue.close()));
    await closeQueueClient(this.client);
  }
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The queue does not answer'));
    }, DEPTHS_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, expired]);
  } finally {
    clearTimeout(timer);
  }
}
