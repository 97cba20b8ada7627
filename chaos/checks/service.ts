import { groupBy } from '../../src/shared/collections.js';
import type { Answer } from '../evidence/answers.js';
import type { Evidence } from '../evidence/evidence.js';
import { NOTICED_WITHIN_MS, overlaps } from '../evidence/spans.js';
import { type CheckResult, Gaps } from './check-result.js';

const MAX_MB = 512;

/** A read waits this long for a connection, for instance during a lock or under full load. */
const READ_WAITS_MS = 10_000;

/** How long a process that did not run may take to catch up. */
const CAUGHT_UP_WITHIN_MS = 5_000;

/** A forced sync waits this long for the first page of the list, which is late where the machine is busy. */
const SYNC_WAITS_MS = 8_000;

/** The pass of a process that is lost can be taken over after this time. */
const SYNC_LEASE_MS = 180_000;

/**
 * Reads that have waited too long are refused with 503. So is a post of SNS while AWS fails, by a process that has not
 * yet downloaded the certificate to verify it: SNS posts again. A forced sync responds with 500 when AWS fails, when
 * the process that reads the list is lost, or when it has waited too long. While the machine is overloaded, any request
 * may be refused with 503 and Retry-After. All report it to the caller, and nothing is lost. A read that is refused
 * immediately is a defect.
 */
const isExpected = (answer: Answer, { awsOutages, overloads, processLosses }: Evidence): boolean =>
  (answer.what === 'list messages' && answer.status === 503 && answer.to - answer.from >= READ_WAITS_MS) ||
  (answer.status === 503 && answer.isRetryable && overlaps(answer, overloads, CAUGHT_UP_WITHIN_MS)) ||
  (answer.what === 'report of SNS' &&
    answer.status === 503 &&
    answer.isRetryable &&
    overlaps(answer, awsOutages, NOTICED_WITHIN_MS)) ||
  (answer.what === 'sync opt-outs' &&
    answer.status === 500 &&
    (answer.to - answer.from >= SYNC_WAITS_MS ||
      overlaps(answer, [...awsOutages, ...overloads], NOTICED_WITHIN_MS) ||
      overlaps(answer, processLosses, SYNC_LEASE_MS)));

export function checkAnswers(evidence: Evidence): CheckResult {
  const { answers, outages } = evidence;
  const unexcused = answers.failures.filter(
    (answer) => !overlaps(answer, outages, NOTICED_WITHIN_MS) && !isExpected(answer, evidence),
  );
  return {
    name: 'No 5xx except while PostgreSQL is out of reach, or where expected',
    counted: `${answers.count} responses, ${answers.failures.length} of them 5xx`,
    gaps: new Gaps(
      [...groupBy(unexcused, ({ what, status }) => `${what} answered ${status}`)].map(
        ([what, { length, 0: first }]) =>
          `${what}, ${length} times, first at ${new Date(first?.from ?? 0).toISOString()}`,
      ),
    ),
  };
}

/** Not even one that starts while PostgreSQL is out of reach: it waits for longer than any outage. */
export const checkProcesses = ({ exits }: Evidence): CheckResult => ({
  name: 'No process ends by itself',
  counted: `${exits.length} ended`,
  gaps: new Gaps(exits.map(({ name, to }) => `${name} ended at ${new Date(to).toISOString()}`)),
});

export function checkMemory({ memory }: Evidence): CheckResult {
  const figures = memory.map(
    ({ name, mostMb, lastMb, starts }) =>
      `${name}: ${mostMb.toFixed(0)} MB maximum, ${lastMb.toFixed(0)} at the end, ${starts} starts`,
  );
  const excessive = memory.filter(({ mostMb }) => !(mostMb > 0 && mostMb <= MAX_MB));
  return {
    name: `No process has more than ${MAX_MB} MB`,
    counted: figures.join('; '),
    gaps: new Gaps(excessive.map(({ name, mostMb }) => `${name}: ${mostMb} MB`)),
  };
}

export const checkUnfinished = ({ unfinished }: Evidence): CheckResult => ({
  name: 'All work is finished',
  counted: unfinished.length === 0 ? 'nothing left' : `${unfinished.length} kinds of work left`,
  gaps: new Gaps(unfinished),
});
