import type { Report } from '../store-reports.service.js';

/** Takes proven reports. */
export abstract class EventIntake {
  /**
   * Resolves when the events are stored durably, those that are known, unmatched or unknown included. Reports of an account
   * that come at the same time share a transaction, those of different accounts never. If it rejects, some may be stored.
   */
  abstract take(report: Report): Promise<void>;
}
