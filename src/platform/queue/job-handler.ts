import { DiscoveryService } from '@nestjs/core';

import type { JobName, JobPayloads } from '../../shared/jobs.js';

/** Marks the one provider that handles a job. */
export const HandlesJob = DiscoveryService.createDecorator<JobName>();

export interface JobHandler<N extends JobName> {
  /**
   * Done when it resolves. What it throws is a fault of ours and shows as a failed job; what may be tried again is
   * written to the database before. `stopping` is aborted when the process is to end: take no new work then. Work that
   * may go on when the job has left its place in the queue is handed to `detach`: a stop waits for it too.
   */
  handle(payload: JobPayloads[N], stopping: AbortSignal, detach: (work: Promise<void>) => void): Promise<void>;
}
