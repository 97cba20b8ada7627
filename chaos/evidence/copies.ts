import type { ProcessName } from '../processes.js';
import { indexOf } from './addresses.js';
import { NumberColumn, TextColumn } from './columns.js';
import { ID_LENGTH } from './sends.js';
import type { Span } from './spans.js';

/**
 * What a provider received: an e-mail or SMS in whole. From its beginning to the provider's answer, on the clock of
 * `Date.now()`.
 */
export interface Copy extends Span {
  /** The connection was gone before the provider could answer, or the answer was withheld. */
  isAnswerLost: boolean;
  /** Who submitted it; null where that could not be told. */
  worker: ProcessName | null;
}

export interface ReceivedCopy extends Copy {
  recipient: string;
  /** An SMS does not say: null. */
  messageId: string | null;
}

const MOST_STRAYS = 1_000;

/** Everything that the providers received: some forty bytes for each message. */
export class CopyRecords {
  /** All copies. */
  count = 0;
  /** Recipients that received something. */
  recipients = 0;
  /** Received for somebody whom nobody wrote to. */
  readonly strays: string[] = [];
  private readonly ids = new TextColumn(ID_LENGTH);
  private readonly began = new NumberColumn(Uint32Array);
  private readonly lasted = new NumberColumn(Uint32Array);
  private readonly states = new NumberColumn(Uint8Array);
  private readonly workers = new NumberColumn(Uint8Array);
  /** Copies beyond the first, with the message that each was of. */
  private readonly further = new Map<number, ReceivedCopy[]>();

  constructor(private readonly startedAt: number) {}

  /** True for the first copy that its recipient receives. */
  add(copy: ReceivedCopy): boolean {
    this.count += 1;
    const index = indexOf(copy.recipient);
    if (index === -1) {
      if (this.strays.length < MOST_STRAYS) this.strays.push(copy.recipient);
      return false;
    }
    if (this.states.get(index) !== NONE) {
      this.further.set(index, [...(this.further.get(index) ?? []), copy]);
      return false;
    }
    this.recipients += 1;
    this.ids.set(index, copy.messageId ?? '');
    this.began.set(index, Math.max(0, copy.from - this.startedAt));
    this.lasted.set(index, copy.to - copy.from);
    this.states.set(index, copy.isAnswerLost ? ANSWER_LOST : ANSWERED);
    this.workers.set(index, copy.worker === null ? 0 : WORKERS.indexOf(copy.worker) + 1);
    return true;
  }

  isReceived(index: number): boolean {
    return this.states.get(index) !== NONE;
  }

  isRepeated(index: number): boolean {
    return this.further.has(index);
  }

  /** Its messages, as the copies named them; none for an SMS. */
  idsOf(index: number): string[] {
    const ids = [this.ids.get(index), ...(this.further.get(index) ?? []).map(({ messageId }) => messageId ?? '')];
    return [...new Set(ids.filter((id) => id !== ''))];
  }

  /** As they began. */
  copiesOf(index: number): Copy[] {
    if (!this.isReceived(index)) return [];
    const from = this.startedAt + this.began.get(index);
    const isAnswerLost = this.states.get(index) === ANSWER_LOST;
    const worker = WORKERS[this.workers.get(index) - 1] ?? null;
    const first = { from, to: from + this.lasted.get(index), isAnswerLost, worker };
    return [first, ...(this.further.get(index) ?? [])].sort((one, other) => one.from - other.from);
  }
}

const WORKERS: readonly ProcessName[] = ['worker 1', 'worker 2'];
const NONE = 0;
const ANSWERED = 1;
const ANSWER_LOST = 2;
