import { Processor } from '@nestjs/bullmq';

import { JOBS_AT_A_TIME } from '../../../config/limits.js';
import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Processor('email-delivery', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME['email-delivery'] })
export class EmailDeliveryProcessor extends QueueProcessor<'email-delivery'> {
  readonly handlers: JobHandlers<'email-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-email': delivery.forLane('email') };
  }
}

@Processor('sms-delivery', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME['sms-delivery'] })
export class SmsDeliveryProcessor extends QueueProcessor<'sms-delivery'> {
  readonly handlers: JobHandlers<'sms-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-sms': delivery.forLane('sms') };
  }
}

@Processor('bulk-delivery', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME['bulk-delivery'] })
export class BulkDeliveryProcessor extends QueueProcessor<'bulk-delivery'> {
  readonly handlers: JobHandlers<'bulk-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-bulk': delivery.forLane('bulk') };
  }
}

@Processor('bulk-sms-delivery', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME['bulk-sms-delivery'] })
export class BulkSmsDeliveryProcessor extends QueueProcessor<'bulk-sms-delivery'> {
  readonly handlers: JobHandlers<'bulk-sms-delivery'>;

  constructor(delivery: DeliveryHandler) {
    super();
    this.handlers = { 'deliver-bulk-sms': delivery.forLane('bulk_sms') };
  }
}
