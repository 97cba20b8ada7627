import { Processor } from '@nestjs/bullmq';

import { JOBS_AT_A_TIME } from '../../../config/limits.js';
import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { RunCampaign } from '../application/run-campaign.service.js';

@Processor('campaigns', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME.campaigns })
export class CampaignsProcessor extends QueueProcessor<'campaigns'> {
  readonly handlers: JobHandlers<'campaigns'> = {
    'run-campaign': ({ accountId, campaignId }, stopping) => this.runCampaign.run(accountId, campaignId, stopping),
  };

  constructor(private readonly runCampaign: RunCampaign) {
    super();
  }
}
