import type { Copy } from '../evidence/copies.js';
import type { Disruption, Evidence } from '../evidence/evidence.js';
import { overlaps } from '../evidence/spans.js';

/** From the response of the provider until the worker has recorded it, on a busy machine. */
const RECORDED_WITHIN_MS = 3_000;
/** From the end of an outage of PostgreSQL, or of an overload, until outcomes from that time are recorded. */
const CAUGHT_UP_WITHIN_MS = 5_000;
/** A worker gives up after 60 s: a response that is nearly as late may cross with that. */
const CROSSES_AFTER_MS = 50_000;
/** From the check of the worker, or the first byte that it sends, until the provider notices that. */
export const NOTICED_AFTER_MS = 1_000;

/** The disruption that justifies another copy after this one; null if there is none. */
export function disruptionOf(
  copy: Copy,
  { outages, locks, overloads, disruptions }: Evidence,
): Disruption['kind'] | 'answer_lost' | null {
  const answered = { from: copy.from - NOTICED_AFTER_MS, to: copy.to + RECORDED_WITHIN_MS };
  const away = [...outages, ...locks, ...overloads].filter((span) =>
    overlaps(span, [{ from: copy.from, to: answered.to }]),
  );
  const inFlight = { ...answered, to: Math.max(answered.to, ...away.map(({ to }) => to + CAUGHT_UP_WITHIN_MS)) };
  const concerns = ({ process }: Disruption) => process === null || copy.worker === null || process === copy.worker;
  const found = disruptions.find((disruption) => concerns(disruption) && overlaps(disruption, [inFlight]));
  const isAnswerLost = copy.isAnswerLost || copy.to - copy.from >= CROSSES_AFTER_MS;
  return found?.kind ?? (isAnswerLost ? 'answer_lost' : null);
}
