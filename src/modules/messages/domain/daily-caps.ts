import { DAY_MS, dayOf, isoDay } from '../../../shared/utc.js';

/** The caps on a message of this account and key, and what is used of them today. */
export interface CapUsage {
  accountCap: number;
  accountUsed: number;
  /** The key's own limit per UTC day; null: only the account's cap counts. */
  keyLimit: number | null;
  keyUsed: number;
}

export type CapVerdict = 'room' | 'key_limit_reached' | 'account_cap_reached';

/** The key's limit is looked at first. */
export function judge({ accountCap, accountUsed, keyLimit, keyUsed }: CapUsage): CapVerdict {
  if (keyLimit !== null && keyUsed >= keyLimit) return 'key_limit_reached';
  return accountUsed >= accountCap ? 'account_cap_reached' : 'room';
}

/** The tighter of the two caps: the one that leaves less. */
export function tighterCap({ accountCap, accountUsed, keyLimit, keyUsed }: CapUsage): {
  limit: number;
  remaining: number;
} {
  const account = { limit: accountCap, remaining: Math.max(0, accountCap - accountUsed) };
  if (keyLimit === null) return account;
  const key = { limit: keyLimit, remaining: Math.max(0, keyLimit - keyUsed) };
  return key.remaining <= account.remaining ? key : account;
}

/** The UTC calendar day that caps count by, as `YYYY-MM-DD`. */
export const capDay = isoDay;

export const nextCapDay = (now: Date): Date => new Date(dayOf(now).getTime() + DAY_MS);
