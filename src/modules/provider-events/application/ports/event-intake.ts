import type { Report } from '../store-reports.service.js';

/** Takes proven reports. */
export abstract class EventIntake {
  /**
   * Resolves when the events are stored durably, those that are known, unmatched or unknown included. Reports that come
   * at the same time share a transaction.
   */
  abstract take(report: Report): Promise<void>;
}
