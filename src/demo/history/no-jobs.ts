import { JobQueue } from '../../shared/ports/job-queue.js';

/** Ignores jobs: the history does the work of the workers itself. */
export class NoJobs extends JobQueue {
  enqueue(): Promise<void> {
    return Promise.resolve();
  }
}
