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

@Processor('sms-delivery', { ...WORKER_OPTIONS, concurrency: 50 })
export class SmsDeliveryProcessor extends QueueProcessor<'sms-delivery'> {
  readonly handlers: JobHandlers<'sms-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-sms': delivery.forLane('sms') };
  }
}

@Processor('bulk-delivery', { ...WORKER_OPTIONS, concurrency: 50 })
export class BulkDeliveryProcessor extends QueueProcessor<'bulk-delivery'> {
  readonly handlers: JobHandlers<'bulk-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-bulk': delivery.forLane('bulk') };
  }
}
