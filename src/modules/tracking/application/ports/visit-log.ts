import type { Visit } from '../../domain/visit.js';

export abstract class VisitLog {
  /** Takes note at once and records soon after, as far as that is possible: who visits waits for nothing. */
  abstract add(visit: Visit): void;
}
