import { WEBHOOK_DELAYS_MS } from '../../../config/limits.js';

const MINUTE_MS = 60_000;

const JITTER = 0.1;
const MAX_REQUESTED_DELAY_MS = 32 * MINUTE_MS;

export const MAX_ATTEMPTS = WEBHOOK_DELAYS_MS.length + 1;

/**
 * The delay after failed attempt number `attempt` (from 1): exponential with up to 10 % jitter, or what the receiver
 * requests if that is longer, up to 32 minutes. Null after the last attempt. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number, requestedMs = 0): number | null {
  const delayMs = WEBHOOK_DELAYS_MS[attempt - 1];
  if (delayMs === undefined) return null;
  return Math.max(Math.round(delayMs * (1 + JITTER * random)), Math.min(requestedMs, MAX_REQUESTED_DELAY_MS));
}

const SECONDS = /^\d{1,10}$/;
/** The receiver chooses the text; no HTTP date is longer. */
const MAX_DATE_LENGTH = 64;

/** The delay that a Retry-After header requests: seconds or an HTTP date (RFC 9110 §10.2.3). 0 for anything else. */
export function retryAfterMs(header: string | null, now: Date): number {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = isHttpDate(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}

const isHttpDate = (text: string): boolean =>
  text.length <= MAX_DATE_LENGTH && /^\w+,? /.test(text) && /\d\d:\d\d:\d\d/.test(text);
