import type { Clock } from '../shared/ports/clock.js';
import type { JobQueue } from '../shared/ports/job-queue.js';

/** Replaces the database's clock and the queue, to fill an account with a past that no worker sees. */
export interface Past {
  clock: Clock;
  queue: JobQueue;
}
