import { DAY_MS } from '../../../shared/utc.js';

export const CHECK_NAMES = ['dkim', 'spf', 'mailFrom'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATUSES = ['pending', 'verified', 'failed'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** What is known of one of a domain's three checks. */
export interface Check {
  status: CheckStatus;
  checkedAt: Date | null;
  /** What is wrong, and what to do about it. */
  detail: string | null;
  /** Since when it has been looked for in vain; null while it is found. */
  missingSince: Date | null;
}

/** What one look at DNS, or at SES, gave. `unknown`: there was no answer, so it says nothing about the domain. */
export interface Finding {
  result: 'found' | 'missing' | 'unknown';
  detail: string | null;
}

export type Findings = Record<CheckName, Finding>;

export const found = (detail: string | null = null): Finding => ({ result: 'found', detail });
export const missing = (detail: string): Finding => ({ result: 'missing', detail });
export const unknown = (detail: string): Finding => ({ result: 'unknown', detail });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const GIVEN_UP_AFTER_MS = 72 * HOUR_MS;
/** A day, less what a schedule may be early. */
const LOST_AFTER_MS = 23 * HOUR_MS;
const OFTEN_FOR_MS = 6 * HOUR_MS;

/**
 * A pending check fails after three days; a verified one after two misses a day apart, so that a slip which is mended
 * within the day stops nothing.
 */
export function afterFinding(check: Check, { result, detail }: Finding, at: Date): Check {
  if (result === 'found') return { status: 'verified', checkedAt: at, detail, missingSince: null };
  if (result === 'unknown') return { ...check, checkedAt: at, detail };
  const missingSince = check.missingSince ?? at;
  const missingForMs = at.getTime() - missingSince.getTime();
  const patienceMs = check.status === 'pending' ? GIVEN_UP_AFTER_MS : LOST_AFTER_MS;
  const status = missingForMs >= patienceMs ? 'failed' : check.status;
  return { status, checkedAt: at, detail, missingSince };
}

/** Pending ones every five minutes for six hours, then hourly; a verified one that was missed, a day after; others daily. */
export function nextCheckAt(checks: readonly Check[], now: Date): Date {
  const since = (wanted: CheckStatus) =>
    checks.flatMap(({ status, missingSince }) => (status === wanted && missingSince ? [missingSince.getTime()] : []));
  if (checks.some(({ status }) => status === 'pending')) {
    const isRecent = now.getTime() - Math.max(...since('pending')) < OFTEN_FOR_MS;
    return new Date(now.getTime() + (isRecent ? 5 * MINUTE_MS : HOUR_MS));
  }
  const confirmedAt = Math.min(...since('verified')) + DAY_MS;
  return new Date(confirmedAt > now.getTime() ? Math.min(confirmedAt, now.getTime() + DAY_MS) : now.getTime() + DAY_MS);
}
