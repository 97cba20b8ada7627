import type { Evidence, MessageRow } from '../evidence/evidence.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';

export class CapsCheck implements MessageCheck<MessageRow> {
  /** Account or key id → number of messages. */
  private readonly stored = new Map<string, number>();

  constructor(private readonly evidence: Evidence) {}

  message({ accountId, keyId }: MessageRow): void {
    for (const id of keyId === null ? [accountId] : [accountId, keyId])
      this.stored.set(id, (this.stored.get(id) ?? 0) + 1);
  }

  result(): CheckResult {
    const { caps } = this.evidence;
    const gaps = new Gaps();
    const counted = caps.map(({ subject, id, limit, used }) => {
      const count = this.stored.get(id) ?? 0;
      if (count > limit) gaps.add(`${subject} ${id} has ${count} messages, ${limit} are allowed`);
      if (count !== used) gaps.add(`${subject} ${id} has ${count} messages, ${used} are counted`);
      return `${subject}: ${count} of ${limit}`;
    });
    return {
      name: 'No cap is exceeded, and the counters match the stored messages',
      counted: counted.join('; '),
      gaps,
    };
  }
}
