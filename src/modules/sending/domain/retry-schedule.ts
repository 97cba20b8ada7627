const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays between the eight attempts: about a day in total. */
const DELAYS_MS = [1 * MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 15 * HOUR] as const;
const JITTER = 0.1;
const THROTTLED_DELAY_MS = { min: 5 * SECOND, max: 30 * SECOND };
/** For a message that is postponed repeatedly because of its account's provider. */
const GIVE_UP_AFTER_MS = 48 * HOUR;

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/**
 * The delay after the `attempt`th failure (from 1), plus up to 10 %; null after the last one. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number): number | null {
  const delay = DELAYS_MS[attempt - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random));
}

/** Spread widely, so that messages that were throttled together are not retried together. */
export const throttledDelayMs = (random: number): number =>
  Math.round(THROTTLED_DELAY_MS.min + random * (THROTTLED_DELAY_MS.max - THROTTLED_DELAY_MS.min));

export const hasWaitedTooLong = (acceptedAt: Date, now: Date): boolean =>
  now.getTime() - acceptedAt.getTime() >= GIVE_UP_AFTER_MS;
