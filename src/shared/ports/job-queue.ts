import type { JobName, JobPayloads } from '../jobs.js';

export interface NewJob<N extends JobName = JobName> {
  name: N;
  payload: JobPayloads[N];
  delayMs?: number;
}

/** Wakes workers. Jobs may be lost or run twice, so a handler reads its work from the database. */
export abstract class JobQueue {
  /** Throws if the queue cannot be reached. */
  abstract enqueue(jobs: readonly NewJob[]): Promise<void>;
}
