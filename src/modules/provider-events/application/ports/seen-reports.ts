export interface SeenReport {
  accountId: string;
  /** Must count only once. */
  key: string;
  /** A key that returns with another meaning is misused. */
  meaning: string;
}

export type Occurrence = 'first' | 'again' | 'misused';

/** Reports that must count once but are not on any timeline. */
export abstract class SeenReports {
  /** Within the running transaction; one result per report, in order. */
  abstract add(reports: readonly SeenReport[], now: Date): Promise<Occurrence[]>;

  abstract expireAcrossAccounts(now: Date): Promise<void>;
}
