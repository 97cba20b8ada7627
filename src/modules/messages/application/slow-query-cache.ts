import type { Clock } from '../../../shared/ports/clock.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';

const QUICK_MS = 250;
/** A query that is repeated all the time then occupies at most a twentieth of a connection. */
const TTL_PER_QUERY_TIME = 20;
const MAX_TTL_MS = 60_000;
const MAX_ENTRIES = 1_000;

/** Caches the results of slow queries, the longer the slower they were. Results of quick ones are always fresh. */
export const slowQueryCache = <Result>(clock: Clock): TtlCache<Result> =>
  new TtlCache<Result>({
    max: MAX_ENTRIES,
    freshForMs: (_result, tookMs) => (tookMs < QUICK_MS ? 0 : Math.min(MAX_TTL_MS, TTL_PER_QUERY_TIME * tookMs)),
    now: () => clock.now().getTime(),
  });
