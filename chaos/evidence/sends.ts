import type { Channel } from '../../src/shared/channel.js';
import { addressOf } from './addresses.js';
import { NumberColumn, TextColumn } from './columns.js';

export const ID_LENGTH = 25;
/** No answer came, so the message may have been accepted or not. */
export const UNANSWERED = 0;

const [SMS, RETRIED, REPLAYED_AT_FIRST] = [1, 2, 4];

interface NewSend {
  channel: Channel;
  /** It has an Idempotency-Key and is repeated until it is answered 201; some are repeated once more after that. */
  isRetriedUntilAccepted: boolean;
}

interface Answer {
  status: number;
  /** With status 201. */
  messageId?: string;
  /** The service had answered the Idempotency-Key before. */
  isReplayed?: boolean;
}

/** The messages that clients wanted sent and what they were answered, some forty bytes for each. */
export class SendRecords {
  /** Sends that were answered 201. */
  acceptedCount = 0;
  /** Answers 201, repeated ones too. */
  acceptances = 0;
  private length = 0;
  private readonly flags = new NumberColumn(Uint8Array);
  private readonly statuses = new NumberColumn(Uint16Array);
  private readonly messageIds = new TextColumn(ID_LENGTH);
  /** Message ids beyond the first. A send has none, unless something is wrong. */
  private readonly furtherIds = new Map<number, Set<string>>();

  get count(): number {
    return this.length;
  }

  /** The index of the new send, from which its recipient follows. Until it is answered it counts as unanswered. */
  add({ channel, isRetriedUntilAccepted }: NewSend): number {
    this.flags.set(this.length, (channel === 'sms' ? SMS : 0) | (isRetriedUntilAccepted ? RETRIED : 0));
    return this.length++;
  }

  answer(index: number, { status, messageId = '', isReplayed = false }: Answer): void {
    this.statuses.set(index, status);
    if (status !== 201) return;
    this.acceptances += 1;
    const known = this.messageIds.get(index);
    if (known === '') {
      this.acceptedCount += 1;
      this.messageIds.set(index, messageId);
      if (isReplayed) this.flags.set(index, this.flags.get(index) | REPLAYED_AT_FIRST);
    } else if (known !== messageId) {
      this.furtherIds.set(index, (this.furtherIds.get(index) ?? new Set()).add(messageId));
    }
  }

  recipient(index: number): string {
    return addressOf(this.has(index, SMS) ? 'sms' : 'email', index);
  }

  status(index: number): number {
    return this.statuses.get(index);
  }

  /** Whether it was ever answered 201, whatever it was answered later. */
  isAccepted(index: number): boolean {
    return this.messageIds.get(index) !== '';
  }

  /** Whether its message may have been accepted although no client was ever answered 201. */
  isOpen(index: number): boolean {
    const status = this.status(index);
    return status === UNANSWERED || status >= 500;
  }

  isRetriedUntilAccepted(index: number): boolean {
    return this.has(index, RETRIED);
  }

  /** Its first 201 got lost: the first one that came was a repeated answer. */
  isReplayedAtFirst(index: number): boolean {
    return this.has(index, REPLAYED_AT_FIRST);
  }

  /** As its answers 201 named them. */
  idsOf(index: number): string[] {
    const first = this.messageIds.get(index);
    return first === '' ? [] : [first, ...(this.furtherIds.get(index) ?? [])];
  }

  private has(index: number, flag: number): boolean {
    return (this.flags.get(index) & flag) !== 0;
  }
}
