import { DOMAIN_FAILED_AFTER_MS, DOMAIN_LOST_AFTER_MS } from '../../../config/limits.js';
import { DAY_MS } from '../../../shared/utc.js';

export const CHECK_NAMES = ['dkim', 'spf', 'mailFrom'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATUSES = ['pending', 'verified', 'failed'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The state of one of a domain's three checks. */
export interface Check {
  status: CheckStatus;
  checkedAt: Date | null;
  /** The fault, and how to correct it. */
  detail: string | null;
  /** The time when it was first not found; null while it is found. */
  missingSince: Date | null;
}

/** The result of one look-up in DNS or SES. `unknown`: there was no answer, so the status does not change. */
export interface CheckResult {
  outcome: 'found' | 'missing' | 'unknown';
  detail: string | null;
}

export type CheckResults = Record<CheckName, CheckResult>;

export const found = (detail: string | null = null): CheckResult => ({ outcome: 'found', detail });
export const missing = (detail: string): CheckResult => ({ outcome: 'missing', detail });
export const unknown = (detail: string): CheckResult => ({ outcome: 'unknown', detail });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const FREQUENT_FOR_MS = 6 * HOUR_MS;

/**
 * A pending check fails after three days. That of a verified domain fails if it is missing twice, a day apart, so that
 * a mistake that is corrected within a day has no effect. Until the domain is verified, what is missing is pending.
 */
export function applyResult(
  check: Check,
  { outcome, detail }: CheckResult,
  at: Date,
  { isDomainVerified }: { isDomainVerified: boolean },
): Check {
  if (outcome === 'found') return { status: 'verified', checkedAt: at, detail, missingSince: null };
  if (outcome === 'unknown') return { ...check, checkedAt: at, detail };
  if (check.status === 'verified' && !isDomainVerified)
    return { status: 'pending', checkedAt: at, detail, missingSince: at };
  const missingSince = check.missingSince ?? at;
  const missingForMs = at.getTime() - missingSince.getTime();
  const limitMs = check.status === 'pending' ? DOMAIN_FAILED_AFTER_MS : DOMAIN_LOST_AFTER_MS;
  const status = missingForMs >= limitMs ? 'failed' : check.status;
  return { status, checkedAt: at, detail, missingSince };
}

/**
 * Pending checks run every five minutes for six hours, then hourly; a verified check that was missing runs again a day
 * later; others run daily.
 */
export function nextCheckAt(checks: readonly Check[], now: Date): Date {
  const since = (wanted: CheckStatus) =>
    checks.flatMap(({ status, missingSince }) => (status === wanted && missingSince ? [missingSince.getTime()] : []));
  if (checks.some(({ status }) => status === 'pending')) {
    const isRecent = now.getTime() - Math.max(...since('pending')) < FREQUENT_FOR_MS;
    return new Date(now.getTime() + (isRecent ? 5 * MINUTE_MS : HOUR_MS));
  }
  const confirmedAt = Math.min(...since('verified')) + DAY_MS;
  return new Date(confirmedAt > now.getTime() ? Math.min(confirmedAt, now.getTime() + DAY_MS) : now.getTime() + DAY_MS);
}
