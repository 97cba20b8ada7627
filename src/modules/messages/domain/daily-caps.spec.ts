import { describe, expect, it } from '@jest/globals';

import { TEST_CONTENT_BYTES_PER_DAY } from '../../../config/limits.js';
import { capError, type CapUsage, reachedCap, tighterCap } from './daily-caps.js';

const usage = (accountUsed: number, keyUsed: number, keyLimit: number | null = 5): CapUsage => ({
  accountCap: 10,
  accountUsed,
  keyLimit,
  keyUsed,
  testBytes: 0,
});

describe('reachedCap', () => {
  it.each([
    ['leaves room below both caps', usage(9, 4), null],
    ['reports the account cap', usage(10, 4), 'account_cap_reached'],
    ['reports the key limit first', usage(10, 5), 'key_limit_reached'],
    [
      'reports the limit of test content last',
      { ...usage(9, 4), testBytes: TEST_CONTENT_BYTES_PER_DAY },
      'test_content_limit_reached',
    ],
    ['ignores the usage of a key without a limit', usage(9, 100, null), null],
  ])('%s', (_, given, expected) => {
    expect(reachedCap(given)).toBe(expected);
  });
});

describe('capError', () => {
  const now = new Date('2026-03-01T23:59:58.500Z');

  it('refuses a key over its limit as an invalid request', () => {
    expect(capError('key_limit_reached', now)).toMatchObject({ kind: 'invalid', code: 'key_daily_limit' });
  });

  it('returns when the account may send again: at the next UTC midnight', () => {
    const error = { kind: 'limit_exceeded', code: 'daily_limit', retryAfterSeconds: 2 };
    expect(capError('account_cap_reached', now)).toMatchObject(error);
  });

  it('names the limit of test content', () => {
    const message = 'Daily limit of 200 MB of test content reached';
    expect(capError('test_content_limit_reached', now)).toMatchObject({ message, retryAfterSeconds: 2 });
  });
});

describe('tighterCap', () => {
  it.each([
    ['the account', usage(9, 2), { limit: 10, remaining: 1 }],
    ['the key, also if both leave the same', usage(8, 3), { limit: 5, remaining: 2 }],
    ['the account if the key has no limit', usage(3, 3, null), { limit: 10, remaining: 7 }],
    ['nothing remaining if a cap was lowered below its usage', usage(2, 7), { limit: 5, remaining: 0 }],
  ])('reports %s', (_, given, expected) => {
    expect(tighterCap(given)).toEqual(expected);
  });
});
