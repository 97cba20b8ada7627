const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits between eight attempts: about a day in all. */
const WAITS_MS = [1 * MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 15 * HOUR] as const;
const JITTER = 0.1;
const WAIT_IF_THROTTLED_MS = { least: 5 * SECOND, most: 30 * SECOND };
/** Of a message that is postponed again and again for reasons that are not its own. */
const GIVE_UP_AFTER_MS = 48 * HOUR;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** How long to wait after the `attempt`th failure (from 1), spread by up to 10 %; null after the last. `random` is in [0, 1). */
export function retryDelayMs(attempt: number, random: number): number | null {
  const wait = WAITS_MS[attempt - 1];
  return wait === undefined ? null : Math.round(wait * (1 + JITTER * random));
}

/** Spread widely, so that those refused together do not come back together. */
export const throttledDelayMs = (random: number): number =>
  Math.round(WAIT_IF_THROTTLED_MS.least + random * (WAIT_IF_THROTTLED_MS.most - WAIT_IF_THROTTLED_MS.least));

export const hasWaitedTooLong = (acceptedAt: Date, now: Date): boolean =>
  now.getTime() - acceptedAt.getTime() >= GIVE_UP_AFTER_MS;
