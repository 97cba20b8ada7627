import { Processor } from '@nestjs/bullmq';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Processor('email-delivery', { ...WORKER_OPTIONS, concurrency: 100 })
export class EmailDeliveryProcessor extends QueueProcessor<'email-delivery'> {
  readonly handlers: JobHandlers<'email-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-email': delivery.forLane('email') };
  }
}
