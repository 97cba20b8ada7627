import { NumberColumn } from './columns.js';

export const REPORTED_TYPES = ['delivered', 'bounced', 'complained', 'opened'] as const;
export type ReportedType = (typeof REPORTED_TYPES)[number];

/** The events that providers reported until they were answered with 200, in one byte per message. */
export class ReportedRecords {
  /** Distinct events. */
  count = 0;
  messages = 0;
  private readonly masks = new NumberColumn(Uint8Array);
  /** Send index → provider message id, for SMS, whose receipts contain only that id. */
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
   * The events that must be on the timeline. The receipt of an SMS cannot be matched if the service never got the
   * provider message id, because the response was lost.
   */
  expected(index: number, providerMessageId: string | null): ReportedType[] {
    const named = this.providerIds.get(index);
    if (named !== undefined && named !== providerMessageId) return [];
    const mask = this.masks.get(index);
    return mask === 0 ? [] : REPORTED_TYPES.filter((type) => (mask & bitOf(type)) !== 0);
  }
}

const bitOf = (type: ReportedType) => 1 << REPORTED_TYPES.indexOf(type);
