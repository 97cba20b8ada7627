const MINUTE_MS = 60_000;
/** Unused permits are kept for this long, so that they can be taken in portions. */
const KEPT_MS = 1_000;
/** Keeps a permit until the feeder asks for it. */
const POLL_MS = 200;

/** The permits of a campaign with a limit per minute. */
export interface Permits {
  granted: number;
  /** The new `pacedUntil`, to be stored once `used` of the granted permits were used. */
  after: (used: number) => Date;
}

/**
 * Grants the permits that have accrued since `pacedUntil`. Accrual is slower than the limit by the time for which
 * permits are kept, so that no minute has more than `maxPerMinute`.
 */
export function permits(maxPerMinute: number, pacedUntil: Date | null, now: Date): Permits {
  const costMs = (MINUTE_MS + KEPT_MS) / maxPerMinute;
  const elapsedMs = pacedUntil === null ? costMs : now.getTime() - pacedUntil.getTime();
  const creditMs = Math.max(0, Math.min(elapsedMs, Math.max(KEPT_MS, costMs + POLL_MS)));
  return {
    granted: Math.floor(creditMs / costMs),
    after: (used) => new Date(Math.ceil(now.getTime() - creditMs + used * costMs)),
  };
}
