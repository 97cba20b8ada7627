import type { Clock } from '../../../shared/ports/clock.js';
import { TtlCache } from '../../../shared/ttl-cache.js';

const QUICK_MS = 250;
/** Asking all the time takes up at most a twentieth of a connection. */
const KEPT_TIMES = 20;
const KEPT_AT_MOST_MS = 60_000;
const MAX_KEPT = 1_000;

/** Answers that were slow to come by are given again for a while; quick ones are always new. */
export const keptAnswers = <Answer>(clock: Clock): TtlCache<Answer> =>
  new TtlCache<Answer>({
    max: MAX_KEPT,
    freshForMs: (_answer, tookMs) => (tookMs < QUICK_MS ? 0 : Math.min(KEPT_AT_MOST_MS, KEPT_TIMES * tookMs)),
    now: () => clock.now().getTime(),
  });
