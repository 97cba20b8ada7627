import type { MessageReference, RecordedEvent, ReportedEvent, ReportedMessage } from '../../domain/reported-event.js';

/** The timelines of messages. */
export abstract class EventLedger {
  /**
   * Puts each event on the timeline of its message, and with it moves the message's status forward and counts opens and
   * clicks, unless it is known already; all or nothing, within the running transaction. A status never moves back:
   * sent < failed < delivered < bounced < complained, soft bounces and `not-spam` reports move none. Events with `data.automated` are not counted.
   * Answers one result per event, in order. A message of another account is not found.
   */
  abstract record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]>;

  /** The message that each reference names, in order; null where its account has none. */
  abstract find(references: readonly MessageReference[]): Promise<(ReportedMessage | null)[]>;
}
