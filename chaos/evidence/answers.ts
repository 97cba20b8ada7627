import { NumberColumn } from './columns.js';
import type { Span } from './spans.js';

/** An answer to any request of the clients, of providers or of the account's people. */
export interface Answer extends Span {
  what: string;
  status: number;
}

/** All answers, counted; kept are those with 5xx, and when sends were accepted. */
export class AnswerRecords {
  count = 0;
  readonly failures: Answer[] = [];
  acceptedCount = 0;
  private readonly accepted = { began: new NumberColumn(Uint32Array), lasted: new NumberColumn(Uint32Array) };

  constructor(private readonly startedAt: number) {}

  add(answer: Answer): void {
    this.count += 1;
    if (answer.status >= 500) this.failures.push(answer);
    if (answer.what !== 'send' || answer.status !== 201) return;
    this.accepted.began.set(this.acceptedCount, Math.max(0, answer.from - this.startedAt));
    this.accepted.lasted.set(this.acceptedCount, answer.to - answer.from);
    this.acceptedCount += 1;
  }

  /** When each send that was answered 201 began, and when it was answered. */
  *accepts(): Generator<Span> {
    for (let i = 0; i < this.acceptedCount; i++) {
      const from = this.startedAt + this.accepted.began.get(i);
      yield { from, to: from + this.accepted.lasted.get(i) };
    }
  }
}
