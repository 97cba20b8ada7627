import { MAX_SCHEDULED_DAYS, PAST_TOLERANCE_MS } from '../config/limits.js';
import { DomainError } from './domain-error.js';
import { parseZonedIsoTime } from './iso-time.js';
import { DAY_MS } from './utc.js';

/** Throws `invalid` for a `scheduledAt` that is too far ahead, or in the past. */
export function requireValidSchedule(at: Date | null, now: Date): void {
  if (at === null) return;
  if (at.getTime() < now.getTime() - PAST_TOLERANCE_MS) throw DomainError.invalid('scheduledAt is in the past');
  if (at.getTime() > now.getTime() + MAX_SCHEDULED_DAYS * DAY_MS)
    throw DomainError.invalid(`scheduledAt is more than ${MAX_SCHEDULED_DAYS} days ahead`);
}

/** The time of a request, or null if it means at once. Throws like `requireValidSchedule`. */
export function scheduledTime(scheduledAt: string | null | undefined, now: Date): Date | null {
  if (scheduledAt == null) return null;
  const at = parseZonedIsoTime(scheduledAt);
  if (!at) throw DomainError.invalid('scheduledAt must be an ISO 8601 date-time with an offset');
  requireValidSchedule(at, now);
  return at > now ? at : null;
}
