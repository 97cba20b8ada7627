import { DomainError } from '../../../shared/domain-error.js';
import { NO_DAILY_CAP } from '../../../shared/daily-cap.js';
import { DAY_MS, dayOf, isoDay } from '../../../shared/utc.js';

/** The caps that apply to a message of this account and key, and today's usage. */
export interface CapUsage {
  accountCap: number;
  accountUsed: number;
  /** The key's own limit per UTC day; null: only the account's cap applies. */
  keyLimit: number | null;
  keyUsed: number;
}

export type ReachedCap = 'key_limit_reached' | 'account_cap_reached';

/** The cap that refuses the next message, the key's limit first; null if both leave room. */
export function reachedCap({ accountCap, accountUsed, keyLimit, keyUsed }: CapUsage): ReachedCap | null {
  if (keyLimit !== null && keyUsed >= keyLimit) return 'key_limit_reached';
  return accountUsed >= accountCap ? 'account_cap_reached' : null;
}

export function capError(cap: ReachedCap, now: Date): DomainError {
  if (cap === 'key_limit_reached') return DomainError.invalid('Daily send limit reached for this API key', cap);
  const secondsLeft = Math.ceil((nextCapDay(now).getTime() - now.getTime()) / 1_000);
  return new DomainError('limit_exceeded', cap, 'Daily send limit reached', secondsLeft);
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
