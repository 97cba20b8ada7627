export interface Sighting {
  accountId: string;
  /** What must count once. */
  key: string;
  /** What it stood for. */
  meaning: string;
}

/** What was reported before, as far as no timeline says so. Kept for a week. */
export abstract class SeenReports {
  /** Within the running transaction, in order: `first`, `again` with the same meaning, or `misused` with another one. */
  abstract see(sightings: readonly Sighting[], now: Date): Promise<('first' | 'again' | 'misused')[]>;

  abstract forgetAcrossAccounts(now: Date): Promise<void>;
}
