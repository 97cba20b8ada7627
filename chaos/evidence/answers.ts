import { NumberColumn } from './columns.js';
import type { Span } from './spans.js';

/** A response to any request, from clients, providers or users. */
export interface Answer extends Span {
  what: string;
  status: number;
  /** Whether it has Retry-After. */
  isRetryable: boolean;
}

/** A request whose connection ended without a response, and not because the client aborted it. */
interface LostRequest extends Span {
  what: string;
  error: string;
}

/** Counts all responses, and keeps those with 5xx and the times of accepted sends. */
export class AnswerRecords {
  count = 0;
  readonly failures: Answer[] = [];
  readonly lost: LostRequest[] = [];
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

  lose(request: LostRequest): void {
    this.lost.push(request);
  }

  /** The start and the end of each send that was answered with 201. */
  *accepts(): Generator<Span> {
    for (let i = 0; i < this.acceptedCount; i++) {
      const from = this.startedAt + this.accepted.began.get(i);
      yield { from, to: from + this.accepted.lasted.get(i) };
    }
  }
}
