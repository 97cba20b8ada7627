import { Injectable } from '@nestjs/common';

import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';

@Injectable()
@HandlesJob('deliver-email')
export class TemporaryHandler implements JobHandler<'deliver-email'> {
  handle(): Promise<void> {
    throw new Error('being written');
  }
}
