import { groupBy } from '../../src/shared/group-by.js';
import type { Answer } from '../evidence/answers.js';
import type { Evidence } from '../evidence/evidence.js';
import { NOTICED_WITHIN_MS, overlaps } from '../evidence/spans.js';
import { type CheckResult, Gaps } from './check-result.js';

const MOST_MB = 512;
const STARTS_WITHIN_MS = 30_000;

/** A read waits this long for a connection, as during a lock or while the load takes all of the machine. */
const READ_WAITS_MS = 10_000;

/**
 * Reads that have waited too long are refused (503), and a forced sync answers 500 when AWS does not let it read: both
 * say so to their caller, and nothing is lost. A read that is refused at once is a defect.
 */
const isExpected = (answer: Answer, { awsOutages }: Evidence): boolean =>
  (answer.what === 'list messages' && answer.status === 503 && answer.to - answer.from >= READ_WAITS_MS) ||
  (answer.what === 'sync opt-outs' && answer.status === 500 && overlaps(answer, awsOutages, NOTICED_WITHIN_MS));

export function checkAnswers(evidence: Evidence): CheckResult {
  const { answers, outages } = evidence;
  const unexcused = answers.failures.filter(
    (answer) => !overlaps(answer, outages, NOTICED_WITHIN_MS) && !isExpected(answer, evidence),
  );
  return {
    name: 'Nothing answers 5xx except while PostgreSQL is away, or what has to',
    counted: `${answers.count} answers, ${answers.failures.length} of them 5xx`,
    gaps: new Gaps(
      [...groupBy(unexcused, ({ what, status }) => `${what} answered ${status}`)].map(
        ([what, { length, 0: first }]) =>
          `${what}, ${length} times, first at ${new Date(first?.from ?? 0).toISOString()}`,
      ),
    ),
  };
}

/** One that begins while PostgreSQL is away may end and be started again, as a supervisor does. */
export function checkProcesses({ exits, outages }: Evidence): CheckResult {
  const unexcused = exits.filter((exit) => exit.to - exit.from > STARTS_WITHIN_MS || !overlaps(exit, outages));
  return {
    name: 'No process ends by itself, except one that starts while PostgreSQL is away',
    counted: `${exits.length} ended`,
    gaps: new Gaps(unexcused.map(({ name, to }) => `${name} ended at ${new Date(to).toISOString()}`)),
  };
}

export function checkMemory({ memory }: Evidence): CheckResult {
  const figures = memory.map(
    ({ name, mostMb, lastMb, starts }) =>
      `${name}: ${mostMb.toFixed(0)} MB at most, ${lastMb.toFixed(0)} at the end, ${starts} starts`,
  );
  const excessive = memory.filter(({ mostMb }) => !(mostMb > 0 && mostMb <= MOST_MB));
  return {
    name: `No process has more than ${MOST_MB} MB`,
    counted: figures.join('; '),
    gaps: new Gaps(excessive.map(({ name, mostMb }) => `${name}: ${mostMb} MB`)),
  };
}

export const checkUnfinished = ({ unfinished }: Evidence): CheckResult => ({
  name: 'Everything comes to an end',
  counted: unfinished.length === 0 ? 'nothing is left' : `${unfinished.length} kinds of work are left`,
  gaps: new Gaps(unfinished),
});
