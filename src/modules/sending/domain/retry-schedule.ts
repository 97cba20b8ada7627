import { DELIVERY_DELAYS_MS, GIVE_UP_AFTER_MS } from '../../../config/limits.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const JITTER = 0.1;
const THROTTLED_DELAY_MS = { min: 5 * SECOND, max: 30 * SECOND };

export const MAX_ATTEMPTS = DELIVERY_DELAYS_MS.length + 1;

/**
 * The delay after the `attempt`th failure (from 1), plus up to 10 %; null after the last one. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number): number | null {
  const delay = DELIVERY_DELAYS_MS[attempt - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random));
}

/** Spread widely, so that messages that were throttled together are not retried together. */
export const throttledDelayMs = (random: number): number =>
  Math.round(THROTTLED_DELAY_MS.min + random * (THROTTLED_DELAY_MS.max - THROTTLED_DELAY_MS.min));

/** The next delay as a share of the time that the message has waited so far. */
const RELEASED_SHARE = 0.5;
const MAX_RELEASED_DELAY_MS = 15 * MINUTE;

/** The delay of a message that a database error kept from being submitted: almost none if it is new. */
export const releasedDelayMs = (acceptedAt: Date, now: Date): number =>
  Math.round(Math.min(Math.max(0, now.getTime() - acceptedAt.getTime()) * RELEASED_SHARE, MAX_RELEASED_DELAY_MS));

export const hasWaitedTooLong = (acceptedAt: Date, now: Date): boolean =>
  now.getTime() - acceptedAt.getTime() >= GIVE_UP_AFTER_MS;
