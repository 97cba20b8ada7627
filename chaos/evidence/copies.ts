import type { ProcessName } from '../processes.js';
import { indexOf } from './addresses.js';
import { NumberColumn, TextColumn } from './columns.js';
import { ID_LENGTH } from './sends.js';
import type { Span } from './spans.js';

/**
 * A complete e-mail or SMS that a provider received, from its first byte to the provider's response.
 */
export interface Copy extends Span {
  /** The connection was lost before the provider could respond, or the response was withheld. */
  isAnswerLost: boolean;
  /** The worker that submitted it; null if unknown. */
  worker: ProcessName | null;
}

export interface ReceivedCopy extends Copy {
  recipient: string;
  /** Null for SMS, which do not carry it. */
  messageId: string | null;
  hasContent: boolean;
}

/** What the messages of single sends and of campaigns say. */
export const CONTENT = { single: 'on its way', campaign: 'here is the news' };

/** Whether the message says it, with no placeholder left. */
export const hasContent = (message: string): boolean =>
  Object.values(CONTENT).some((text) => message.includes(text)) && !message.includes('{{');

const MAX_STRAYS = 1_000;

/** Everything that the providers received, in about 40 bytes per message. */
export class CopyRecords {
  /** All copies. */
  count = 0;
  /** Recipients that received something. */
  recipients = 0;
  /** Recipients that nothing was sent to. */
  readonly strays: string[] = [];
  /** Recipients of copies without their content. */
  readonly withoutContent: string[] = [];
  private readonly ids = new TextColumn(ID_LENGTH);
  private readonly began = new NumberColumn(Uint32Array);
  private readonly lasted = new NumberColumn(Uint32Array);
  private readonly states = new NumberColumn(Uint8Array);
  private readonly workers = new NumberColumn(Uint8Array);
  /** Send index → copies after the first. */
  private readonly further = new Map<number, ReceivedCopy[]>();

  constructor(private readonly startedAt: number) {}

  /** Returns whether it is the first copy for its recipient. */
  add(copy: ReceivedCopy): boolean {
    this.count += 1;
    const index = indexOf(copy.recipient);
    if (!copy.hasContent && this.withoutContent.length < MAX_STRAYS) this.withoutContent.push(copy.recipient);
    if (index === -1) {
      if (this.strays.length < MAX_STRAYS) this.strays.push(copy.recipient);
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

  /** The message ids in the copies; none for SMS. */
  idsOf(index: number): string[] {
    const ids = [this.ids.get(index), ...(this.further.get(index) ?? []).map(({ messageId }) => messageId ?? '')];
    return [...new Set(ids.filter((id) => id !== ''))];
  }

  /** In the order of their start. */
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
