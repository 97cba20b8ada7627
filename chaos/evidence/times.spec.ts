import { describe, expect, it } from '@jest/globals';

import { type Answer, AnswerRecords } from './answers.js';
import type { Evidence } from './evidence.js';
import { acceptTimes } from './times.js';

const accept = (from: number, ms: number, changes: Partial<Answer> = {}): Answer => ({
  what: 'send',
  status: 201,
  isRetryable: false,
  from,
  to: from + ms,
  ...changes,
});

function timesOf(given: Answer[], away: Partial<Pick<Evidence, 'outages' | 'locks'>> = {}) {
  const answers = new AnswerRecords(0);
  for (const answer of given) answers.add(answer);
  return acceptTimes({ outages: [], locks: [], ...away, answers } as unknown as Evidence, { from: 10_000, to: 20_000 });
}

describe('The accept times', () => {
  it('separate times with and without faults', () => {
    expect(timesOf([accept(9_999, 10), accept(10_000, 20), accept(20_000, 30), accept(20_001, 40)])).toEqual({
      calm: { p50: 40, p99: 40, count: 2 },
      underFaults: { p50: 30, p99: 30, count: 2 },
      answerable: { p50: 30, p99: 30, count: 2 },
    });
  });

  it('include accepted sends only', () => {
    const { underFaults } = timesOf([
      accept(11_000, 20),
      accept(11_000, 900, { status: 503 }),
      accept(11_000, 900, { what: 'report' }),
    ]);
    expect(underFaults).toEqual({ p50: 20, p99: 20, count: 1 });
  });

  it.each(['outages', 'locks'] as const)('exclude sends during %s and the two seconds after', (kind) => {
    const span = { from: 12_000, to: 13_000 };
    const away = { [kind]: [span] };
    const left = (...answers: Answer[]) => timesOf(answers, away).answerable.count;
    expect(left(accept(11_900, 99), accept(15_001, 10))).toBe(2);
    expect(left(accept(11_900, 100), accept(12_500, 10), accept(15_000, 900), accept(11_000, 5_000))).toBe(0);
    expect(timesOf([accept(12_500, 900)], away).underFaults.count).toBe(1);
  });

  it('do not count as calm while the database recovers from the last fault', () => {
    const { calm } = timesOf([accept(21_000, 900), accept(23_000, 10)], { outages: [{ from: 20_000, to: 20_000 }] });
    expect(calm).toEqual({ p50: 10, p99: 10, count: 1 });
  });
});
