import type { RecordedEvent } from '../../domain/reported-event.js';
import type { ReportedVisit } from '../../domain/reported-visit.js';

/** Opens and clicks that the service's own links report. */
export abstract class VisitRepository {
  /**
   * Puts each visit on the timeline of its message, whosever that is: our signature vouches for it. All or nothing, and as
   * `TimelineRepository.record` does otherwise. Answers one outcome per visit, in order.
   */
  abstract recordAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedEvent['outcome'][]>;
}
