export interface SeenReport {
  accountId: string;
  /** Identifies the report, which counts only once. */
  key: string;
  /** A key that is repeated with other content is misused. */
  content: string;
}

export type Occurrence = 'first' | 'repeated' | 'misused';

/** Reports that must count once but are not on any timeline. */
export abstract class SeenReports {
  /** Joins the running transaction; returns one result per report, in order. */
  abstract add(reports: readonly SeenReport[], now: Date): Promise<Occurrence[]>;

  abstract expireAcrossAccounts(now: Date): Promise<void>;
}
