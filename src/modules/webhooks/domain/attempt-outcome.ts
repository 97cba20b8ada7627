import { retryAfterMs, retryDelayMs } from './retry-schedule.js';
import type { AttemptResult } from './webhook-delivery.js';

/** What an attempt means for its delivery. */
export interface Verdict {
  state: 'delivered' | 'retrying' | 'failed' | 'failed_permanent';
  /** Of what is retried. */
  nextAttemptAt: Date | null;
}

/**
 * 2xx is delivered; 408, 429, 5xx and no answer are tried again until the attempts are used up; anything else will not
 * get better by itself. `random` is in [0, 1).
 */
export function judge(result: AttemptResult, attempt: number, now: Date, random: number): Verdict {
  const { statusCode } = result;
  if (isSuccess(statusCode)) return { state: 'delivered', nextAttemptAt: null };
  if (statusCode !== null && !isTransient(statusCode)) return { state: 'failed_permanent', nextAttemptAt: null };
  const delayMs = retryDelayMs(attempt, random, retryAfterMs(result.retryAfter, now));
  if (delayMs === null) return { state: 'failed', nextAttemptAt: null };
  return { state: 'retrying', nextAttemptAt: new Date(now.getTime() + delayMs) };
}

export const isSuccess = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

const isTransient = (statusCode: number): boolean => statusCode === 408 || statusCode === 429 || statusCode >= 500;
