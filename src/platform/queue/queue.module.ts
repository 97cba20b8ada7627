import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type QueueOptions, setDefaultBackendFactory } from 'bullmq';

import { Config } from '../../config/config.js';
import { QUEUE_NAMES } from '../../shared/jobs.js';
import { JobQueue } from '../../shared/ports/job-queue.js';
import { BullJobQueue } from './bull-job-queue.js';
import { JobWorkers } from './job-workers.js';
import { createQueueBackend } from './queue-backend.js';
import { openQueueClient, QUEUE_CLIENT, type QueueClient } from './queue-client.js';

const KEPT_FAILED_JOBS = 1_000;

// Before a module is built: its queues and workers are made by @nestjs/bullmq, which names no backend.
setDefaultBackendFactory(createQueueBackend);

@Module({
  providers: [{ provide: QUEUE_CLIENT, useFactory: openQueueClient, inject: [Config] }],
  exports: [QUEUE_CLIENT],
})
class QueueClientModule {}

const queueOptions = (client: QueueClient): QueueOptions => ({
  connection: client,
  // A queue that asks for the version of a Redis which is away at the start never connects. The workers ask for it.
  skipVersionCheck: true,
  skipWaitingForReady: true,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: KEPT_FAILED_JOBS },
});

/** The queues, and the workers of the processors that the modules provide. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    QueueClientModule,
    BullModule.forRootAsync({
      imports: [QueueClientModule],
      inject: [QUEUE_CLIENT],
      useFactory: queueOptions,
      extraOptions: { manualRegistration: true }, // JobWorkers starts them, where the role of the process is to work
    }),
    BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
  ],
  providers: [BullJobQueue, { provide: JobQueue, useExisting: BullJobQueue }, JobWorkers],
  exports: [JobQueue, BullJobQueue],
})
export class QueueModule {}
