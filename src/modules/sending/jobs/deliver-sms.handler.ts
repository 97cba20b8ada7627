import { Injectable } from '@nestjs/common';

import { HandlesJob } from '../../../platform/queue/job-handler.js';
import { DeliveryHandler } from './delivery.handler.js';

@Injectable()
@HandlesJob('deliver-sms')
export class DeliverSmsHandler extends DeliveryHandler {
  protected readonly channel = 'sms';
}
