import { NumberColumn } from './columns.js';

export const REPORTED_TYPES = ['delivered', 'bounced', 'complained', 'opened'] as const;
export type ReportedType = (typeof REPORTED_TYPES)[number];

/** What providers reported of messages until it was answered 200, often more than once: one byte for each message. */
export class ReportedRecords {
  /** Different events. */
  count = 0;
  messages = 0;
  private readonly masks = new NumberColumn(Uint8Array);
  /** By index, for SMS: receipts name the message by the id that the provider gave it. */
  private readonly providerIds = new Map<number, string>();

  add(index: number, type: ReportedType, smsProviderId?: string): void {
    const [mask, bit] = [this.masks.get(index), bitOf(type)];
    if ((mask & bit) !== 0) return;
    if (mask === 0) this.messages += 1;
    this.count += 1;
    this.masks.set(index, mask | bit);
    if (smsProviderId !== undefined) this.providerIds.set(index, smsProviderId);
  }

  /**
   * What has to be on the timeline. The receipt of an SMS whose id the service never learned, because the answer that
   * named it was lost, belongs to no message.
   */
  expected(index: number, providerMessageId: string | null): ReportedType[] {
    const named = this.providerIds.get(index);
    if (named !== undefined && named !== providerMessageId) return [];
    const mask = this.masks.get(index);
    return mask === 0 ? [] : REPORTED_TYPES.filter((type) => (mask & bitOf(type)) !== 0);
  }
}

const bitOf = (type: ReportedType) => 1 << REPORTED_TYPES.indexOf(type);
