import { Processor } from '@nestjs/bullmq';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';

@Processor('campaigns', { ...WORKER_OPTIONS, concurrency: 50 })
export class CampaignsProcessor extends QueueProcessor<'campaigns'> {
  readonly handlers: JobHandlers<'campaigns'> = {
    'run-campaign': () => Promise.resolve(),
  };
}
