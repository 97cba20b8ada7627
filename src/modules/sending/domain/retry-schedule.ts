const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The waits between eight attempts: about a day in all. */
const WAITS_MS = [1 * MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 15 * HOUR] as const;
const JITTER = 0.1;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** How long to wait after the `attempt`th failure (from 1), spread by up to 10 %; null after the last. `random` is in [0, 1). */
export function retryDelayMs(attempt: number, random: number): number | null {
  const wait = WAITS_MS[attempt - 1];
  return wait === undefined ? null : Math.round(wait * (1 + JITTER * random));
}
