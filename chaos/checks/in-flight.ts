import type { Copy } from '../evidence/copies.js';
import type { Disruption, Evidence } from '../evidence/evidence.js';
import { overlaps } from '../evidence/spans.js';

/** From the provider's answer until the worker has recorded it, on a busy machine. */
const RECORDED_WITHIN_MS = 3_000;
/** After an outage of PostgreSQL, until what could not be recorded meanwhile is recorded. */
const CAUGHT_UP_WITHIN_MS = 5_000;
/** From the worker's first byte until the provider has noticed it. */
const NOTICED_AFTER_MS = 1_000;

/** Why a copy may be followed by another one; null if nothing excuses that. */
export function disruptionOf(
  copy: Copy,
  { outages, locks, disruptions }: Evidence,
): Disruption['kind'] | 'answer_lost' | null {
  const answered = { from: copy.from - NOTICED_AFTER_MS, to: copy.to + RECORDED_WITHIN_MS };
  const away = [...outages, ...locks].filter((span) => overlaps(span, [{ from: copy.from, to: answered.to }]));
  const inFlight = { ...answered, to: Math.max(answered.to, ...away.map(({ to }) => to + CAUGHT_UP_WITHIN_MS)) };
  const concerns = ({ process }: Disruption) => process === null || copy.worker === null || process === copy.worker;
  const found = disruptions.find((disruption) => concerns(disruption) && overlaps(disruption, [inFlight]));
  return found?.kind ?? (copy.isAnswerLost ? 'answer_lost' : null);
}
