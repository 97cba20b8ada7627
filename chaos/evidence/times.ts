import { quantile } from '../../bench/support/report.js';
import type { Evidence } from './evidence.js';
import { NOTICED_WITHIN_MS, overlaps, type Span } from './spans.js';

export interface Times {
  p50: number;
  p99: number;
  count: number;
}

/** Durations of accepting a send. */
export interface AcceptTimes {
  calm: Times;
  underFaults: Times;
  /** Under faults, but while PostgreSQL was running and the table was not locked. */
  answerable: Times;
}

/** `plan` is the period of the faults. After it, the effects of PostgreSQL faults still do not count as calm. */
export function acceptTimes({ answers, outages, locks }: Evidence, plan: Span): AcceptTimes {
  const [calm, underFaults, answerable]: [number[], number[], number[]] = [[], [], []];
  for (const accept of answers.accepts()) {
    const isUnderFaults = accept.from >= plan.from && accept.from <= plan.to;
    const isAnswerable = !overlaps(accept, [...outages, ...locks], NOTICED_WITHIN_MS);
    const ms = accept.to - accept.from;
    if (isUnderFaults) underFaults.push(ms);
    if (isAnswerable) (isUnderFaults ? answerable : calm).push(ms);
  }
  return { calm: timesOf(calm), underFaults: timesOf(underFaults), answerable: timesOf(answerable) };
}

const timesOf = (times: number[]): Times => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  count: times.length,
});
