import { TEST_CONTENT_BYTES_PER_DAY } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { NO_DAILY_CAP } from '../../../shared/daily-cap.js';
import { DAY_MS, dayOf, isoDay } from '../../../shared/utc.js';

/**
 * Counted in addition to the content of a test message: its rows in the log, the timeline and the search stay for
 * months. So an account stores 50,000 test messages a day at most, however many test keys it replaces.
 */
export const TEST_ROW_BYTES = 4_000;

/** The caps that apply to a message of this account and key, and today's usage. */
export interface CapUsage {
  accountCap: number;
  accountUsed: number;
  /** The key's own limit per UTC day; null: only the account's cap applies. */
  keyLimit: number | null;
  keyUsed: number;
  /** The contents, attachments and rows that the account's test messages store, in bytes; 0 for live messages. */
  testBytes: number;
}

/** The share is rounded up, so that a cap of a few messages can be used as a whole. */
export const capShare = (cap: number, percent: number): number => cap - Math.floor((cap * (100 - percent)) / 100);

export type ReachedCap = 'key_limit_reached' | 'account_cap_reached' | 'test_content_limit_reached';

/** The cap that refuses the next message, the key's limit first; null if all leave room. */
export function reachedCap({ accountCap, accountUsed, keyLimit, keyUsed, testBytes }: CapUsage): ReachedCap | null {
  if (keyLimit !== null && keyUsed >= keyLimit) return 'key_limit_reached';
  if (accountUsed >= accountCap) return 'account_cap_reached';
  return testBytes >= TEST_CONTENT_BYTES_PER_DAY ? 'test_content_limit_reached' : null;
}

const TEST_CONTENT_LIMIT_REACHED = `Daily limit of ${TEST_CONTENT_BYTES_PER_DAY / 1_000_000} MB of test content reached`;

export function capError(cap: ReachedCap, now: Date): DomainError {
  if (cap === 'key_limit_reached')
    return DomainError.invalid('Daily send limit reached for this API key', 'key_daily_limit');
  const secondsLeft = Math.ceil((nextCapDay(now).getTime() - now.getTime()) / 1_000);
  const message = cap === 'account_cap_reached' ? 'Daily send limit reached' : TEST_CONTENT_LIMIT_REACHED;
  return new DomainError('limit_exceeded', 'daily_limit', message, secondsLeft);
}

/** The cap that leaves less; the key's if they leave the same. Null if there is none. */
export function tighterCap({ accountCap, accountUsed, keyLimit, keyUsed }: CapUsage): {
  limit: number;
  remaining: number;
} | null {
  const account = { limit: accountCap, remaining: Math.max(0, accountCap - accountUsed) };
  if (keyLimit === null) return accountCap === NO_DAILY_CAP ? null : account;
  const key = { limit: keyLimit, remaining: Math.max(0, keyLimit - keyUsed) };
  return key.remaining <= account.remaining ? key : account;
}

/** The UTC calendar day of the counters, as `YYYY-MM-DD`. */
export const capDay = isoDay;

export const nextCapDay = (now: Date): Date => new Date(dayOf(now).getTime() + DAY_MS);

/** Counters of earlier days are purged. */
export const USAGE_KEPT_DAYS = 1;
