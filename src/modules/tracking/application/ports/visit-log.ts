import type { Visit } from '../../domain/visit.js';

/** Counts and logs the outcomes of visits. */
export abstract class VisitLog {
  /** An outcome of the timeline, or `dropped` or `failed`. */
  abstract count(visit: Visit, outcome: string): void;

  /** Visits are dropped from now on: this many are waiting for the database. */
  abstract warnFull(waiting: number): void;

  abstract warnFailed(visit: Visit, error: Error): void;
}
