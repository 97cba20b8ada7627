import { Injectable } from '@nestjs/common';

import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';

@Injectable()
@HandlesJob('deliver-email')
export class DeliverEmailHandler implements JobHandler<'deliver-email'> {
  handle(): Promise<void> {
    throw new Error('being written');
  }
}
