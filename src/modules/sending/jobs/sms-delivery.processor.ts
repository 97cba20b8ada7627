import { Processor } from '@nestjs/bullmq';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Processor('sms-delivery', { ...WORKER_OPTIONS, concurrency: 50 })
export class SmsDeliveryProcessor extends QueueProcessor<'sms-delivery'> {
  readonly handlers: JobHandlers<'sms-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-sms': delivery.forLane('sms') };
  }
}
