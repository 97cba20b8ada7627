import type { Evidence, MessageRow } from '../evidence/evidence.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';
import { mayBeCanceled } from './may-be-canceled.js';

/**
 * No message is received before its scheduled time, and none that was canceled. ReceivedCheck makes sure that all
 * others are received once. A time that had passed by the clock of the database when the message was accepted is no
 * time to wait for, although a fault had set that clock ahead. A message that was canceled while it waited for another
 * attempt may have arrived by an earlier one whose worker or response was lost.
 */
export class SchedulesCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();

  constructor(private readonly evidence: Evidence) {}

  message({ id, status, createdAt, campaignId, interruptions }: MessageRow, index: number): void {
    const { schedules, copies } = this.evidence;
    const at = schedules.timeOf(index);
    const [first] = at === undefined ? [] : copies.copiesOf(index);
    if (at !== undefined && createdAt < at && first && first.from < at)
      this.gaps.add(`${id} was received ${at - first.from} ms before its time`);
    if (status === 'canceled' && !mayBeCanceled(this.evidence, campaignId, index))
      this.gaps.add(`${id} is canceled, but its cancellation was refused`);
    const isCanceled = status === 'canceled' || schedules.canceled.has(index);
    const mayHaveArrived = interruptions.some((reason) => reason !== 'refused');
    if (!isCanceled || mayHaveArrived) return;
    if (status !== 'canceled') this.gaps.add(`${id} was canceled and is ${status}`);
    if (copies.isReceived(index)) this.gaps.add(`${id} was canceled and received`);
  }

  result(): CheckResult {
    const { count, canceled } = this.evidence.schedules;
    return {
      name: 'No message is received before its scheduled time, and none that was canceled',
      counted: `${count} scheduled sends; ${canceled.size} canceled`,
      gaps: this.gaps,
    };
  }
}
