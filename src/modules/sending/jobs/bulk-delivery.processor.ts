import { Processor } from '@nestjs/bullmq';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Processor('bulk-delivery', { ...WORKER_OPTIONS, concurrency: 50 })
export class BulkDeliveryProcessor extends QueueProcessor<'bulk-delivery'> {
  readonly handlers: JobHandlers<'bulk-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-bulk': delivery.forLane('bulk') };
  }
}
