import type { FoundMessage, MessageReference, RecordedEvent, ReportedEvent } from '../../domain/reported-event.js';

/** The timelines of messages. */
export abstract class TimelineRepository {
  /**
   * Puts each event on the timeline of its message, and with it moves the message's status forward and counts opens and
   * clicks, unless it is known already; all or nothing, within the running transaction. A status never moves back:
   * sent < failed < delivered < bounced < complained, soft bounces and `not-spam` reports move none. Events with `data.automated` are not counted.
   * Clicks on several links within a second of the hand-over or of the delivery are a scanner's: they get `data.automated` and
   * are counted no longer, whichever of all these comes first. Answers one result per event, in order.
   */
  abstract record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]>;

  /** The message that each reference names, in order. */
  abstract find(references: readonly MessageReference[]): Promise<FoundMessage[]>;
}
