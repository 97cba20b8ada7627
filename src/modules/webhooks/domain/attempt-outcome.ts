import { retryAfterMs, retryDelayMs } from './retry-schedule.js';
import type { AttemptResult } from './webhook-delivery.js';

/** The state of a delivery after an attempt. */
export interface AttemptOutcome {
  state: 'delivered' | 'retrying' | 'failed' | 'failed_permanent';
  /** Null unless the delivery is retried. */
  nextAttemptAt: Date | null;
}

/**
 * A 2xx is a success. A 408, 429, 5xx, or no response at all is retried until the attempts are used up. Every other
 * status is permanent. `random` is in [0, 1).
 */
export function classifyAttempt(result: AttemptResult, attempt: number, now: Date, random: number): AttemptOutcome {
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
