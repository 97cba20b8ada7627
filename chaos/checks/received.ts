import { NumberColumn } from '../evidence/columns.js';
import type { Copy } from '../evidence/copies.js';
import type { Disruption, Evidence, MessageRow } from '../evidence/evidence.js';
import { disruptionOf } from './in-flight.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';

/**
 * Every message is received once. Further copies are allowed only if the timeline has a reason for each of them, and if
 * every copy but the last was in flight when its worker was killed or stopped, or was never answered. The timeline
 * alone proves nothing, because a worker that wrongly takes over a message records that too. A provider that did not
 * run for a while may read what a worker has given up after its next attempt: then the worker of that copy is unknown,
 * and the last of the others is the one that counts.
 */
export class ReceivedCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();
  private readonly isKnown = new NumberColumn(Uint8Array);
  private messages = 0;
  private repeated = 0;
  private readonly excuses: Record<Disruption['kind'] | 'answer_lost', number> = {
    worker_killed: 0,
    worker_stopped: 0,
    connections_cut: 0,
    answer_lost: 0,
  };

  constructor(private readonly evidence: Evidence) {}

  message(row: MessageRow, index: number): void {
    const { copies } = this.evidence;
    this.messages += 1;
    const ids = index === -1 ? [] : copies.idsOf(index);
    const isUnsubscribed = row.campaignId !== null && row.status === 'suppressed';
    if (isUnsubscribed && !copies.isReceived(index)) return; // AcceptedCheck looks for the cause
    if (row.status === 'canceled' && !copies.isReceived(index)) return; // SchedulesCheck looks for the cancellation
    const isSms = row.recipient.startsWith('+');
    if (index === -1 || !copies.isReceived(index) || (!isSms && !ids.includes(row.id))) {
      this.gaps.add(`${row.id} is ${row.status} and was never received`);
      return;
    }
    this.isKnown.set(index, 1);
    for (const id of ids) if (id !== row.id) this.gaps.add(`${id} was received but does not exist`);
    if (copies.isRepeated(index)) this.checkRepeated(row, index);
  }

  result(): CheckResult {
    const { copies, sends } = this.evidence;
    for (let index = 0; index < sends.count; index++) {
      if (!copies.isReceived(index) || this.isKnown.get(index) === 1) continue;
      this.gaps.add(`${copies.idsOf(index)[0] ?? sends.recipient(index)} was received but does not exist`);
    }
    for (const recipient of copies.strays) this.gaps.add(`${recipient} received a message but is not a recipient`);
    for (const recipient of copies.withoutContent) this.gaps.add(`${recipient} received a message without its content`);
    const { worker_killed, worker_stopped, connections_cut, answer_lost } = this.excuses;
    return {
      name: 'Every message is received once, or again if it was in flight at a lost worker or the response was lost',
      counted:
        `${this.messages} messages, ${copies.count} copies; ${this.repeated} repeated: worker killed ${worker_killed}, ` +
        `worker stopped ${worker_stopped}, connection cut ${connections_cut}, answer lost ${answer_lost}`,
      gaps: this.gaps,
    };
  }

  private checkRepeated(row: MessageRow, index: number): void {
    this.repeated += 1;
    const copies = this.evidence.copies.copiesOf(index);
    // A provider that refuses a message has not accepted it, so a refusal does not justify a second copy.
    const reasons = row.interruptions.filter((reason) => reason !== 'refused').length;
    const isGivenUp = (copy: Copy) => copy.worker === null && copy.isAnswerLost;
    const last = copies.findLast((copy) => !isGivenUp(copy)) ?? copies.at(-1);
    const replaced = copies.filter((copy) => copy !== last).map((copy) => disruptionOf(copy, this.evidence));
    const kinds = replaced.filter((kind) => kind !== null);
    const subject = `${row.id} was received ${copies.length} times`;
    if (copies.length - 1 > reasons) this.gaps.add(`${subject}; its timeline has ${reasons} reasons`);
    if (copies.length - 1 > kinds.length) {
      const times = copies.map(({ from, worker }) => `${new Date(from).toISOString().slice(11, 23)} by ${worker}`);
      this.gaps.add(`${subject} (${times.join(', ')}); ${kinds.length} of the replaced ones were in flight at a fault`);
    }
    for (const kind of new Set(kinds)) this.excuses[kind] += 1;
  }
}
