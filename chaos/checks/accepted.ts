import { NumberColumn } from '../evidence/columns.js';
import type { Evidence, MessageRow } from '../evidence/evidence.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';
import { mayBeCanceled } from './may-be-canceled.js';

const FINAL = ['sent', 'delivered', 'bounced', 'complained'];

/**
 * Every 201 has exactly one message, to its recipient and in a final status. There are no other messages, except those
 * of campaigns, which CampaignsCheck counts.
 */
export class AcceptedCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();
  private readonly stored = new NumberColumn(Uint8Array);
  /** Whether the message id of the response was found, with the recipient of the send. */
  private readonly isFound = new NumberColumn(Uint8Array);
  /** Message id → recipient, for messages whose id is not the one in the response. */
  private readonly misplaced = new Map<string, string>();
  private openStored = 0;
  private messages = 0;

  constructor(private readonly evidence: Evidence) {}

  message(row: MessageRow, index: number): void {
    const { sends } = this.evidence;
    this.messages += 1;
    if (!this.isFinal(row, index)) this.gaps.add(`${row.id} is still ${row.status}`);
    if (row.campaignId !== null) return;
    const isRequested = index >= 0 && index < sends.count && !sends.isOfCampaign(index);
    const isOwn = isRequested && sends.recipient(index) === row.recipient;
    const mayBeStored = isOwn && (sends.isAccepted(index) || sends.isOpen(index));
    if (!mayBeStored) this.gaps.add(`${row.id} exists, but was refused or never requested`);
    if (isOwn) {
      const count = this.stored.get(index) + 1;
      this.stored.set(index, Math.min(count, 255));
      if (count > 1) this.gaps.add(`${row.recipient} has ${count} messages instead of one`);
      if (count === 1 && !sends.isAccepted(index)) this.openStored += 1;
    }
    if (isOwn && sends.idsOf(index)[0] === row.id) this.isFound.set(index, 1);
    else this.misplaced.set(row.id, row.recipient);
  }

  storedFor(index: number): number {
    return this.stored.get(index);
  }

  result(): CheckResult {
    const { sends, suppressedSends } = this.evidence;
    let [requested, open] = [0, 0];
    for (let index = 0; index < sends.count; index++) {
      if (sends.isOfCampaign(index)) continue;
      requested += 1;
      if (!sends.isAccepted(index) && sends.isOpen(index)) open += 1;
      const [id] = sends.idsOf(index);
      if (id === undefined || this.isFound.get(index) === 1) continue;
      const recipient = this.misplaced.get(id);
      this.gaps.add(
        recipient === undefined
          ? `${id} was answered 201 and does not exist`
          : `${id} went to ${recipient} instead of ${sends.recipient(index)}`,
      );
    }
    for (const { recipient, status } of suppressedSends)
      if (status === 201) this.gaps.add(`${recipient} was suppressed, yet answered 201`);
    return {
      name: 'Every 201 has one message with a final status',
      counted:
        `${requested} sends: ${sends.acceptedCount} answered 201; ${open} without an answer or 5xx, ${this.openStored} of which are ` +
        `stored nevertheless; ${this.messages} messages; ${suppressedSends.length} sends to suppressed addresses`,
      gaps: this.gaps,
    };
  }

  /**
   * A message of a campaign is `suppressed` if its recipient unsubscribed before the submission. An SMS can be
   * `suppressed` although it arrived: its worker or the response was lost, and the recipient replied STOP before the
   * next attempt.
   */
  private isFinal({ status, recipient, campaignId, interruptions }: MessageRow, index: number): boolean {
    if (FINAL.includes(status)) return true;
    if (status === 'canceled') return mayBeCanceled(this.evidence, campaignId, index);
    if (status !== 'suppressed') return false;
    const hasOptedOut = this.evidence.suppressionCauses.some(({ address }) => address === recipient);
    if (campaignId !== null) return hasOptedOut;
    if (!recipient.startsWith('+') || !this.evidence.copies.isReceived(index)) return false;
    return hasOptedOut && interruptions.some((reason) => reason !== 'refused');
  }
}
