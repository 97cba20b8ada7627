import { JobQueue } from '../../shared/ports/job-queue.js';

/** What would be done by workers in the past is done already. */
export class NoJobs extends JobQueue {
  enqueue(): Promise<void> {
    return Promise.resolve();
  }
}
