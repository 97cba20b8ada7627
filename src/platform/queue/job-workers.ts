import { setTimeout as pause } from 'node:timers/promises';

import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Worker } from 'bullmq';
import { Pool } from 'pg';

import { Config } from '../../config/config.js';
import type { QueueName } from '../../shared/jobs.js';
import { checkProcessors, checkWorkers } from './check-processors.js';
import { ensureReady, QUEUE_CLIENT, type QueueClient } from './queue-client.js';
import type { QueueProcessor } from './queue-processor.js';

/** The time limit for closing the workers once no job runs. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Starts and stops the workers of processes with the role `worker` or `all`. */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private started: QueueProcessor<QueueName>[] = [];
  private closed: Promise<void> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registrar: BullRegistrar,
    private readonly config: Config,
    @Inject(QUEUE_CLIENT) private readonly client: QueueClient,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const processors = checkProcessors(providers.filter((provider) => provider instanceof WorkerHost));
    if (this.config.role !== 'api') {
      this.registrar.register();
      this.started = [...processors.values()];
      checkWorkers(processors);
      await ensureReady(
        this.client,
        this.started.map(({ worker }) => worker),
      );
    }
    if (this.client instanceof Pool) this.client.options.connectionTimeoutMillis = this.config.databaseConnectTimeoutMs;
  }

  /** The stop begins here, so that no worker claims messages while other modules finish what they have begun. */
  onModuleDestroy(): void {
    this.closed = this.close();
    this.closed.catch(() => undefined); // thrown below
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.closed;
  }

  /**
   * Takes no more jobs and waits for those in flight, but not for a queue that is out of reach. Nest would close the
   * workers one after the other; here they all stop at the same time.
   */
  private async close(): Promise<void> {
    for (const processor of this.started) processor.stop();
    const workers = this.started.map(({ worker }) => worker);
    const closed = Promise.all(workers.map((worker) => worker.close()));
    const closeTimer = new AbortController();
    const timedOut = this.settled().then(() => pause(CLOSE_TIMEOUT_MS, undefined, { signal: closeTimer.signal }));
    timedOut.catch(() => undefined); // aborted below
    const closedInTime = await Promise.race([closed.then(() => true), timedOut.then(() => false)]);
    closeTimer.abort();
    await this.settled();
    if (!closedInTime) for (const worker of workers) this.abandon(worker);
  }

  /** Ends a worker whose queue does not answer. Otherwise Nest, which closes the workers too, would wait forever. */
  private abandon(worker: Worker): void {
    worker.closing = Promise.resolve();
    const warn = (text: string): void => {
      this.logger.warn(`Worker of ${worker.name}: ${text}`);
    };
    warn('closed without waiting for the queue, which does not answer');
    worker
      .getBackend()
      .close(true)
      .catch((error: unknown) => {
        warn((error as Error).message);
      });
  }

  private async settled(): Promise<void> {
    await Promise.all(this.started.map((processor) => processor.settled()));
  }
}
