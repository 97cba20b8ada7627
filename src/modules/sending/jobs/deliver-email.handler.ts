import { Injectable } from '@nestjs/common';

import { HandlesJob } from '../../../platform/queue/job-handler.js';
import { DeliveryHandler } from './delivery.handler.js';

@Injectable()
@HandlesJob('deliver-email')
export class DeliverEmailHandler extends DeliveryHandler {
  protected readonly channel = 'email';
}
