import { ApiError, ConnectionError } from './errors.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** Longer waits are left to the caller: a daily limit asks to wait until midnight. */
const MAX_RETRY_AFTER_SECONDS = 30;

/**
 * The wait before the next attempt, in ms; null if the error is final. `retries` is the number of earlier retries.
 * Doubles from half a second up to eight seconds, minus up to half at random, so that clients that failed together do
 * not come back together; never shorter than `Retry-After`.
 */
export function retryDelayMs(error: unknown, retries: number, random: () => number = Math.random): number | null {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** retries, MAX_DELAY_MS) * (1 - random() / 2);
  if (error instanceof ConnectionError) return delay;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterSeconds } = error;
  if (status !== 408 && status !== 429 && status < 500) return null;
  if (retryAfterSeconds === null) return delay;
  return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000 + delay;
}
