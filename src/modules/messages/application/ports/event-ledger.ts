import type { RecordedEvent, ReportedEvent, ReportedVisit } from '../../domain/reported-event.js';

/** The timelines of messages. */
export abstract class EventLedger {
  /**
   * Puts each event on the timeline of its message, and with it moves the message's status forward and counts opens and
   * clicks, unless it is known already; all or nothing, within the running transaction. A status never moves back:
   * sent < failed < delivered < bounced < complained, soft bounces move none. Events with `data.automated` are not counted.
   * Answers one result per event, in order. A message of another account is not found.
   */
  abstract record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]>;

  /**
   * The same for visits, each message whosever it is: our signature vouches for it. Clicks that no person makes, on several
   * links of a message within a second or within a second of its reported delivery, get `data.automated` and are counted no
   * longer, earlier ones too.
   */
  abstract recordVisitsAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedEvent[]>;
}
