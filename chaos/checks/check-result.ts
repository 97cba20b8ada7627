/** What one check counted, and everything that does not add up. */
export interface CheckResult {
  name: string;
  counted: string;
  gaps: Gaps;
}

const MOST_KEPT = 1_000;

/** Counts every gap and keeps the first ones. */
export class Gaps {
  count = 0;
  readonly first: string[] = [];

  constructor(gaps: Iterable<string> = []) {
    for (const gap of gaps) this.add(gap);
  }

  add(gap: string): void {
    this.count += 1;
    if (this.first.length < MOST_KEPT) this.first.push(gap);
  }
}

/** A check that looks at the messages as they are read from the tables. */
export interface MessageCheck<Row> {
  message(row: Row, index: number): void;
  result(): CheckResult;
}
