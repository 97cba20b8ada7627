import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type QueueOptions, setDefaultBackendFactory } from 'bullmq';

import { KEPT_FAILED_JOBS } from '../../config/limits.js';
import { Config } from '../../config/config.js';
import { QUEUE_NAMES } from '../../shared/jobs.js';
import { JobQueue } from '../../shared/ports/job-queue.js';
import { BullJobQueue } from './bull-job-queue.js';
import { JobWorkers } from './job-workers.js';
import { createQueueBackend } from './queue-backend.js';
import { openQueueClient, QUEUE_CLIENT, type QueueClient } from './queue-client.js';

// Set before any module is built: @nestjs/bullmq creates queues and workers without naming a backend.
setDefaultBackendFactory(createQueueBackend);

@Module({
  providers: [{ provide: QUEUE_CLIENT, useFactory: openQueueClient, inject: [Config] }],
  exports: [QUEUE_CLIENT],
})
class QueueClientModule {}

const queueOptions = (client: QueueClient): QueueOptions => ({
  connection: client,
  // A queue that checks the version of a Redis that is out of reach at the start never connects. The workers check it.
  skipVersionCheck: true,
  skipWaitingForReady: true,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: KEPT_FAILED_JOBS },
});

/** The queues, and workers for the processors of all modules. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    QueueClientModule,
    BullModule.forRootAsync({
      imports: [QueueClientModule],
      inject: [QUEUE_CLIENT],
      useFactory: queueOptions,
      extraOptions: { manualRegistration: true }, // JobWorkers starts them, depending on the role
    }),
    BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
  ],
  providers: [BullJobQueue, JobWorkers],
  exports: [JobQueue, BullJobQueue],
})
export class QueueModule {
  /** Registers the queues. If `queue` is given, it takes the jobs instead of BullMQ. */
  static register(queue?: JobQueue): DynamicModule {
    const jobQueue = queue ? { provide: JobQueue, useValue: queue } : { provide: JobQueue, useExisting: BullJobQueue };
    return { module: QueueModule, providers: [jobQueue] };
  }
}
