import { describe, expect, it } from '@jest/globals';

import type { Answer } from '../evidence/answers.js';
import { gapless } from '../evidence/gapless-evidence.js';
import type { Span } from '../evidence/spans.js';
import { checkAnswers } from './service.js';

const gapsOf = (
  answer: Answer,
  spans: { awsOutages?: Span[]; overloads?: Span[]; processLosses?: Span[] } = {},
): string[] => {
  const evidence = { ...gapless(), ...spans };
  evidence.answers.add(answer);
  return checkAnswers(evidence).gaps.first;
};

const READ = { what: 'list messages', status: 503, isRetryable: true, from: 5_000, to: 15_000 };
const SYNC = { what: 'sync opt-outs', status: 500, isRetryable: false, from: 8_000, to: 9_000 };

describe('The check of answers', () => {
  it('expects reads to be refused that have waited, but no other request', () => {
    expect(gapsOf(READ)).toEqual([]);
    expect(gapsOf({ ...READ, to: 14_900 })).toEqual([expect.stringContaining('list messages answered 503, 1 times')]);
    expect(gapsOf({ ...READ, status: 500 })).toHaveLength(1);
    expect(gapsOf({ ...READ, what: 'send' })).toHaveLength(1);
  });

  it('expects a forced opt-out sync to fail until the lease of a lost process has ended', () => {
    const later = { ...SYNC, from: 200_000, to: 207_900 };
    expect(gapsOf(later, { processLosses: [{ from: 20_000, to: 20_000 }] })).toEqual([]);
    expect(gapsOf(later, { processLosses: [{ from: 19_000, to: 19_999 }] })).toHaveLength(1);
  });

  it('expects a forced opt-out sync to fail that has waited for eight seconds', () => {
    expect(gapsOf({ ...SYNC, to: SYNC.from + 8_000 })).toEqual([]);
    expect(gapsOf({ ...SYNC, to: SYNC.from + 7_900 })).toHaveLength(1);
  });

  it('expects a forced opt-out sync to fail while AWS does', () => {
    expect(gapsOf(SYNC, { awsOutages: [{ from: 8_500, to: 8_600 }] })).toEqual([]);
    expect(gapsOf(SYNC, { awsOutages: [{ from: 4_000, to: 5_000 }] })).toEqual([
      expect.stringContaining('sync opt-outs answered 500, 1 times'),
    ]);
    expect(gapsOf({ ...SYNC, what: 'send' }, { awsOutages: [SYNC] })).toHaveLength(1);
  });

  it('expects 503 with Retry-After while the machine is overloaded, and nothing else', () => {
    const send = { what: 'send', status: 503, isRetryable: true, from: 8_000, to: 9_000 };
    const overloads = [{ from: 2_000, to: 4_000 }];
    expect(gapsOf(send, { overloads })).toEqual([]);
    expect(gapsOf({ ...send, from: 9_001 }, { overloads })).toHaveLength(1);
    expect(gapsOf({ ...send, isRetryable: false }, { overloads })).toHaveLength(1);
    expect(gapsOf({ ...send, status: 500 }, { overloads })).toHaveLength(1);
  });

  it('expects posts of SNS to be put off while AWS fails, and no other report', () => {
    const report = { what: 'report of SNS', status: 503, isRetryable: true, from: 8_000, to: 9_000 };
    const awsOutages = [{ from: 8_500, to: 8_600 }];
    expect(gapsOf(report, { awsOutages })).toEqual([]);
    expect(gapsOf(report)).toHaveLength(1);
    expect(gapsOf({ ...report, status: 500 }, { awsOutages })).toHaveLength(1);
    expect(gapsOf({ ...report, isRetryable: false }, { awsOutages })).toHaveLength(1);
    expect(gapsOf({ ...report, what: 'report' }, { awsOutages })).toHaveLength(1);
  });
});
