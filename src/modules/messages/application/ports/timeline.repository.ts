import type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  RecordedVisit,
  ReportedEvent,
  ReportedVisit,
} from '../../domain/reported-event.js';

/** The timelines of messages. */
export abstract class TimelineRepository {
  /**
   * Adds each event to the timeline of its message unless it is known already, and updates the message's status by
   * STATUS_RANKS, if the message was attempted, and its counts of opens and clicks; all or nothing, within the running
   * transaction. Soft bounces and `not-spam` reports change no status. Events with `data.automated` are not counted.
   * The clicks of a scanner (see SCAN_WINDOW_SECONDS) get `data.automated` and are no longer counted, in whichever
   * order the events are reported. Returns one result per event, in order.
   */
  abstract record(events: readonly ReportedEvent[]): Promise<RecordedEvent[]>;

  /**
   * Like `record`, for messages of any account: our signature on the link proves the message. Waits for no locked
   * message.
   */
  abstract recordVisitsAcrossAccounts(visits: readonly ReportedVisit[]): Promise<RecordedVisit[]>;

  /** The message that each reference identifies, in order. */
  abstract find(references: readonly MessageReference[]): Promise<FoundMessage[]>;
}
