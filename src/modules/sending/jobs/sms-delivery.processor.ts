import { Processor } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { DeliveryHandler } from './delivery.handler.js';

@Injectable()
export class DeliverSmsHandler extends DeliveryHandler {
  protected readonly channel = 'sms';
}

@Processor('sms-delivery', { ...WORKER_OPTIONS, concurrency: 50 })
export class SmsDeliveryProcessor extends QueueProcessor<'sms-delivery'> {
  readonly handlers: JobHandlers<'sms-delivery'> = {
    'deliver-sms': (payload, stopping, detach) => this.deliverSms.handle(payload, stopping, detach),
  };

  constructor(private readonly deliverSms: DeliverSmsHandler) {
    super();
  }
}
