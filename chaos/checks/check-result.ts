/** What a check counted, and the gaps it found. */
export interface CheckResult {
  name: string;
  counted: string;
  gaps: Gaps;
}

const MAX_KEPT = 1_000;

/** Counts every gap and keeps the first ones. */
export class Gaps {
  count = 0;
  readonly first: string[] = [];

  constructor(gaps: Iterable<string> = []) {
    for (const gap of gaps) this.add(gap);
  }

  add(gap: string): void {
    this.count += 1;
    if (this.first.length < MAX_KEPT) this.first.push(gap);
  }
}

/** A check of messages, called with each as it is read from the tables. */
export interface MessageCheck<Row> {
  message(row: Row, index: number): void;
  result(): CheckResult;
}
