import type { Channel } from '../../src/shared/channel.js';
import { addressOf } from './addresses.js';
import { NumberColumn, TextColumn } from './columns.js';

export const ID_LENGTH = 25;
/** There was no response, so the message may have been accepted or not. */
export const UNANSWERED = 0;

const [SMS, RETRIED, REPLAYED_AT_FIRST, OF_CAMPAIGN] = [1, 2, 4, 8];

interface NewSend {
  channel: Channel;
  /** It has an Idempotency-Key and is retried until it is answered with 201; some are repeated once more. */
  isRetriedUntilAccepted: boolean;
  /** No client requests it: a campaign mails its recipient. */
  isOfCampaign?: boolean;
}

interface Answer {
  status: number;
  /** Set for status 201. */
  messageId?: string;
  /** Whether it is the replayed response to an Idempotency-Key. */
  isReplayed?: boolean;
}

/** The sends of clients and their responses, in about 40 bytes per send. */
export class SendRecords {
  /** Sends that were answered with 201. */
  acceptedCount = 0;
  /** Responses with 201, including repeated ones. */
  acceptances = 0;
  private length = 0;
  private readonly flags = new NumberColumn(Uint8Array);
  private readonly statuses = new NumberColumn(Uint16Array);
  private readonly messageIds = new TextColumn(ID_LENGTH);
  /** Message ids after the first. A send has them only if something is wrong. */
  private readonly furtherIds = new Map<number, Set<string>>();

  get count(): number {
    return this.length;
  }

  /** Returns the index of the new send, which determines its recipient. It counts as unanswered at first. */
  add({ channel, isRetriedUntilAccepted, isOfCampaign = false }: NewSend): number {
    const flags = (channel === 'sms' ? SMS : 0) | (isRetriedUntilAccepted ? RETRIED : 0);
    this.flags.set(this.length, flags | (isOfCampaign ? OF_CAMPAIGN : 0));
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

  /** Whether any response was a 201. */
  isAccepted(index: number): boolean {
    return this.messageIds.get(index) !== '';
  }

  /** Whether the message may have been accepted although there was no 201. */
  isOpen(index: number): boolean {
    const status = this.status(index);
    return status === UNANSWERED || status >= 500;
  }

  isRetriedUntilAccepted(index: number): boolean {
    return this.has(index, RETRIED);
  }

  isOfCampaign(index: number): boolean {
    return this.has(index, OF_CAMPAIGN);
  }

  /** The first 201 was lost: the first one received was a replay. */
  isReplayedAtFirst(index: number): boolean {
    return this.has(index, REPLAYED_AT_FIRST);
  }

  /** The message ids in its responses. */
  idsOf(index: number): string[] {
    const first = this.messageIds.get(index);
    return first === '' ? [] : [first, ...(this.furtherIds.get(index) ?? [])];
  }

  private has(index: number, flag: number): boolean {
    return (this.flags.get(index) & flag) !== 0;
  }
}
