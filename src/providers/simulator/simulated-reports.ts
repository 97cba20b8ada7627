import type { Channel } from '../../shared/channel.js';
import type { Report } from './simulation.js';

export interface SimulatedReport {
  messageId: string;
  accountId: string;
  channel: Channel;
  report: Report;
  dueAt: Date;
}

/** The pending reports of the simulator about messages that it has accepted. */
export abstract class SimulatedReports {
  /** A known report does not change: a message may be submitted twice. Concurrent calls share a statement. */
  abstract add(reports: readonly SimulatedReport[]): Promise<void>;

  /** The due reports of all accounts but `except`, oldest first. */
  abstract listDueAcrossAccounts(now: Date, except: readonly string[], limit: number): Promise<SimulatedReport[]>;

  /**
   * Within the running transaction: removes these reports, and returns those that were still there and that no other
   * transaction takes.
   */
  abstract take(reports: readonly SimulatedReport[]): Promise<SimulatedReport[]>;

  /** Makes a report due at another time. After `maxTimes`, removes it instead and returns false. */
  abstract postpone(report: SimulatedReport, until: Date, maxTimes: number): Promise<boolean>;
}
