import { parseIsoTime } from './iso-time.js';

/** The maximum length of the wording, in characters. */
export const MAX_WORDING_LENGTH = 2_000;
export const MAX_EVIDENCE_LENGTH = 2_000;
export const MAX_USER_AGENT_LENGTH = 500;
/** The maximum by which the clock of a caller may be ahead of ours. */
const MAX_SKEW_MS = 30_000;
/** A form such as `2026-11-27 08:30:00`, which other services export. */
const SPACED = /^(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/;

/**
 * Reads the time of a consent, in UTC if there is no zone: an ISO 8601 date or date-time, with a space or a T. A time a
 * few seconds ahead becomes `now`, because clocks differ.
 */
export function readConsentTime(text: string, now: Date): { at: Date } | { fault: string } {
  const at = parseIsoTime(text.replace(SPACED, '$1T'))?.at;
  if (!at) return { fault: 'must be an ISO 8601 date or date-time' };
  if (at.getTime() > now.getTime() + MAX_SKEW_MS) return { fault: 'must not be in the future' };
  if (at.getTime() < 0) return { fault: 'must not be before 1970' };
  return { at: at > now ? now : at };
}
