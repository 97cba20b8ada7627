import type { Evidence, MessageRow } from '../evidence/evidence.js';
import { REPORTED_TYPES } from '../evidence/reported.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';

const RANK: Record<string, number> = { delivered: 1, bounced: 2, complained: 3 };

export class EventsCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();
  private applied = 0;

  constructor(private readonly evidence: Evidence) {}

  message({ id, status, opens, recorded, providerMessageId }: MessageRow, index: number): void {
    const expected = index === -1 ? [] : this.evidence.reported.expected(index, providerMessageId);
    this.applied += expected.length;
    for (const type of REPORTED_TYPES) {
      const count = recorded[type] ?? 0;
      if (!expected.includes(type)) {
        if (count > 0) this.gaps.add(`${id} ${type} is recorded but was not reported`);
        continue;
      }
      if (count !== 1) this.gaps.add(`${id} ${type} is recorded ${count} times`);
      if (type === 'opened' && opens !== 1) this.gaps.add(`${id} counts ${opens} opens instead of 1`);
      if ((RANK[status] ?? 0) < (RANK[type] ?? 0)) this.gaps.add(`${id} ${type}, but is ${status}`);
    }
  }

  result(): CheckResult {
    const { count, messages } = this.evidence.reported;
    return {
      name: 'Every event of a provider is applied once',
      counted: `${count} events of ${messages} messages, ${this.applied} of them for copies recorded as sent`,
      gaps: this.gaps,
    };
  }
}
