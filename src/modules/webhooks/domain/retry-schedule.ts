const MINUTE_MS = 60_000;

/** The waits between six attempts. */
const WAITS_MS = [1, 2, 4, 8, 16].map((minutes) => minutes * MINUTE_MS);
const JITTER = 0.1;
const LONGEST_WAIT_MS = 32 * MINUTE_MS;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/**
 * How long to wait after the `attempt`th failure (from 1), spread by up to 10 %, or as long as the receiver asks for where
 * that is longer, up to 32 minutes; null after the last. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number, askedForMs = 0): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 + JITTER * random)), Math.min(askedForMs, LONGEST_WAIT_MS));
}

const SECONDS = /^\d{1,10}$/;
/** Longer than any date; the receiver chooses the text. */
const MAX_DATE_LENGTH = 64;

/** What a Retry-After header asks for from `now` on: seconds or an HTTP date (RFC 9110 §10.2.3). 0 for anything else. */
export function retryAfterMs(header: string | null, now: Date): number {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = isHttpDate(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}

const isHttpDate = (text: string): boolean =>
  text.length <= MAX_DATE_LENGTH && /^\w+,? /.test(text) && /\d\d:\d\d:\d\d/.test(text);
