import { groupBy } from '../src/shared/group-by.js';
import type { Evidence } from './evidence.js';
import { checkCaps } from './ledger/caps.js';
import type { Entry } from './ledger/entry.js';
import { checkEvents } from './ledger/events.js';
import { checkInsisted } from './ledger/insisted.js';
import { checkAccepted, checkReceived } from './ledger/messages.js';
import { checkSuppressions, checkWebhooks } from './ledger/suppressions.js';
import { NOTICED_WITHIN_MS, overlaps } from './spans.js';

const MOST_MB = 512;
const STARTS_WITHIN_MS = 30_000;

export const reconcile = (evidence: Evidence): Entry[] => [
  checkAccepted(evidence),
  checkInsisted(evidence),
  checkReceived(evidence),
  checkCaps(evidence),
  checkEvents(evidence),
  checkSuppressions(evidence),
  checkWebhooks(evidence),
  checkAnswers(evidence),
  checkProcesses(evidence),
  checkMemory(evidence),
  checkQuiet(evidence),
];

function checkAnswers({ answers, outages }: Evidence): Entry {
  const failures = answers.filter(({ status }) => status >= 500);
  const unexcused = failures.filter((answer) => !overlaps(answer, outages, NOTICED_WITHIN_MS));
  return {
    name: 'Nothing answers 5xx except while PostgreSQL is away',
    counted: `${answers.length} answers, ${failures.length} of them 5xx`,
    gaps: [...groupBy(unexcused, ({ what, status }) => `${what} answered ${status}`)].map(
      ([what, { length, 0: first }]) =>
        `${what}, ${length} times, first at ${new Date(first?.from ?? 0).toISOString()}`,
    ),
  };
}

/** One that begins while PostgreSQL is away may end and be started again, as a supervisor does. */
function checkProcesses({ exits, outages }: Evidence): Entry {
  const unexcused = exits.filter((exit) => exit.to - exit.from > STARTS_WITHIN_MS || !overlaps(exit, outages));
  return {
    name: 'No process ends by itself, except one that starts while PostgreSQL is away',
    counted: `${exits.length} ended`,
    gaps: unexcused.map(({ name, to }) => `${name} ended at ${new Date(to).toISOString()}`),
  };
}

function checkMemory({ memory }: Evidence): Entry {
  const told = memory.map(
    ({ name, mostMb, lastMb, starts }) =>
      `${name}: ${mostMb.toFixed(0)} MB at most, ${lastMb.toFixed(0)} at the end, ${starts} starts`,
  );
  return {
    name: `No process has more than ${MOST_MB} MB`,
    counted: told.join('; '),
    gaps: memory
      .filter(({ mostMb }) => !(mostMb > 0 && mostMb <= MOST_MB))
      .map(({ name, mostMb }) => `${name}: ${mostMb} MB`),
  };
}

const checkQuiet = ({ unfinished }: Evidence): Entry => ({
  name: 'Everything comes to an end',
  counted: unfinished.length === 0 ? 'nothing is left' : `${unfinished.length} kinds of work are left`,
  gaps: unfinished,
});
