import { Processor } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Injectable()
export class DeliverEmailHandler extends DeliveryHandler {
  protected readonly channel = 'email';
}

@Processor('email-delivery', { ...WORKER_OPTIONS, concurrency: 100 })
export class EmailDeliveryProcessor extends QueueProcessor<'email-delivery'> {
  readonly handlers: JobHandlers<'email-delivery'> = {
    'deliver-email': (payload, stopping, detach) => this.deliverEmail.handle(payload, stopping, detach),
  };

  constructor(private readonly deliverEmail: DeliverEmailHandler) {
    super();
  }
}
