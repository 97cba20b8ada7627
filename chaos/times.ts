import { quantile } from '../bench/support/report.js';
import type { Answer, Evidence } from './evidence.js';
import { NOTICED_WITHIN_MS, overlaps, type Span } from './spans.js';

export interface Times {
  p50: number;
  p99: number;
  count: number;
}

/** What accepting took. */
export interface AcceptTimes {
  calm: Times;
  underFaults: Times;
  /** Of those under faults the ones that PostgreSQL could answer: it was there, and nothing locked the table. */
  answerable: Times;
}

/** `plan`: when it was carried out. What a fault of PostgreSQL does once the plan is over is not calm either. */
export function acceptTimes({ answers, outages, locks }: Evidence, plan: Span): AcceptTimes {
  const accepts = answers.filter(({ what, status }) => what === 'send' && status === 201);
  const answerable = accepts.filter((answer) => !overlaps(answer, [...outages, ...locks], NOTICED_WITHIN_MS));
  const isUnderFaults = ({ from }: Answer) => from >= plan.from && from <= plan.to;
  return {
    calm: timesOf(answerable.filter((answer) => !isUnderFaults(answer))),
    underFaults: timesOf(accepts.filter(isUnderFaults)),
    answerable: timesOf(answerable.filter(isUnderFaults)),
  };
}

function timesOf(answers: readonly Answer[]): Times {
  const times = answers.map(({ from, to }) => to - from);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), count: times.length };
}
