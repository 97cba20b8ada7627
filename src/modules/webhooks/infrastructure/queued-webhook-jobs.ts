import { Injectable, Logger } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { WebhookJobs } from '../application/ports/webhook-delivery.repository.js';

const IDS_PER_JOB = 50;

@Injectable()
export class QueuedWebhookJobs extends WebhookJobs {
  private readonly logger = new Logger(QueuedWebhookJobs.name);

  constructor(private readonly queue: JobQueue) {
    super();
  }

  async enqueue(endpointIds: readonly string[]): Promise<void> {
    const jobs = chunk(endpointIds, IDS_PER_JOB).map(
      (ids) => ({ name: 'deliver-webhooks', payload: { endpointIds: ids } }) as const,
    );
    try {
      await this.queue.enqueue(jobs);
    } catch (error) {
      this.logger.warn(`${endpointIds.length} webhook endpoints wait for the sweep: ${(error as Error).message}`);
    }
  }
}
