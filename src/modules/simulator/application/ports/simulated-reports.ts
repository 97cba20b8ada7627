import type { Channel } from '../../../../shared/channel.js';
import type { Report } from '../../domain/simulation.js';

export interface SimulatedReport {
  messageId: string;
  accountId: string;
  channel: Channel;
  report: Report;
  dueAt: Date;
}

/** What the simulator is going to report about messages that it has accepted. */
export abstract class SimulatedReports {
  /** A known report does not change: a message may be submitted twice. Concurrent calls share a statement. */
  abstract add(reports: readonly SimulatedReport[]): Promise<void>;

  /** Within the running transaction: removes and returns what is due, except what other transactions take. */
  abstract takeDueAcrossAccounts(now: Date, limit: number): Promise<SimulatedReport[]>;
}
