import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';

import { Config } from '../../config/config.js';
import { JobQueue } from '../../shared/ports/job-queue.js';
import { BullJobQueue } from './bull-job-queue.js';
import { JobWorkers } from './job-workers.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';

const QUEUE_BACKEND = Symbol('QueueBackend');

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: QUEUE_BACKEND, useFactory: openQueueBackend, inject: [Config] },
    {
      provide: BullJobQueue,
      useFactory: (backend: QueueBackend) => new BullJobQueue(backend),
      inject: [QUEUE_BACKEND],
    },
    { provide: JobQueue, useExisting: BullJobQueue },
    {
      provide: JobWorkers,
      useFactory: (discovery: DiscoveryService, backend: QueueBackend, config: Config) =>
        new JobWorkers(discovery, backend, config),
      inject: [DiscoveryService, QUEUE_BACKEND, Config],
    },
  ],
  exports: [JobQueue, BullJobQueue],
})
export class QueueModule {}
