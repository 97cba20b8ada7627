import type { ProcessName } from './processes.js';
import { randomFrom, shuffled } from './random.js';

export type Queue = 'postgres' | 'redis';

/** The minimum and maximum duration in milliseconds. docs/chaos.md describes the faults. */
const BRIEF_MS = {
  'kill-worker': [500, 2_000],
  'kill-api': [500, 2_000],
  'kill-postgres': [500, 2_000],
  'kill-redis': [500, 2_000],
  'relay-421': [1_000, 2_500],
  'relay-hang': [1_000, 2_500],
  'relay-cut': [500, 1_000],
  'aws-429': [1_000, 2_500],
  'aws-500': [1_000, 2_500],
  'aws-hang': [1_000, 2_500],
  'aws-cut': [500, 1_000],
  'receiver-503': [1_000, 2_500],
  'cut-clients': [0, 0],
  'cut-database': [0, 0],
  'cut-redis': [0, 0],
  'clock-forward': [0, 0],
  'clock-back': [0, 0],
  'fill-pool': [800, 1_000],
} satisfies Record<string, [min: number, max: number]>;

type BriefFault = keyof typeof BRIEF_MS;
/** Run concurrently with the brief ones. */
type LongFault = 'skew-worker' | 'stop-worker' | 'stop-api';
export type Fault = BriefFault | LongFault;

export interface Step {
  /** From the start of the load. */
  atMs: number;
  forMs: number;
  fault: Fault;
  /** Null if the fault does not affect a process of the service. */
  process: ProcessName | null;
}

export const CALM_MS = 4_000;
/**
 * In the first part of a round the clock of a worker is ahead, once it is ready; in the second part, processes are
 * stopped.
 */
const SKEWED_MS = 10_000;
/** On a machine that is not overloaded. */
const STARTED_WITHIN_MS = 5_000;
const STOPPED_MS = 45_000;
const ROUND_MS = 2 * STARTED_WITHIN_MS + SKEWED_MS + STOPPED_MS + 1_000;
/**
 * Leases last 30 s: messages lost by the last brief fault are taken over before or shortly after the end of the load.
 */
const TAIL_MS = 24_000;

/** As many rounds as fit into the seconds, at least one. The load continues until the last one is over. */
export function planFaults(seed: number, seconds: number, queue: Queue): Step[] {
  const rounds = Math.max(1, Math.round((seconds * 1_000 - CALM_MS) / ROUND_MS));
  return Array.from({ length: rounds }, (_, round) => planRound(seed, queue, round, round === rounds - 1)).flat();
}

/** Unlimited rounds, each followed by as long without faults, in which the service catches up. */
export function* planWithoutEnd(seed: number, queue: Queue): Generator<Step> {
  for (let round = 0; ; round++) {
    const calmMs = round * ROUND_MS;
    for (const step of planRound(seed, queue, round, false)) yield { ...step, atMs: step.atMs + calmMs };
  }
}

/**
 * All faults: the brief ones in random order and evenly spread, in the last round early enough for the leases of lost
 * messages to end. First the clock of one worker is ahead; then the other worker is killed, and, once it is back,
 * stopped, as is one API process. Meanwhile only processes that are not stopped are killed.
 */
function planRound(seed: number, queue: Queue, round: number, isLast: boolean): Step[] {
  const random = randomFrom(seed + round * 7_919);
  const startMs = CALM_MS + round * ROUND_MS;
  const spreadMs = isLast ? ROUND_MS - TAIL_MS : ROUND_MS;
  const skewed = random() < 0.5 ? 1 : 2;
  const [stoppedWorker, stoppedApi] = [other(skewed), random() < 0.5 ? 1 : 2] as const;
  const skewedUntilMs = startMs + STARTED_WITHIN_MS + SKEWED_MS;
  const stopMs = skewedUntilMs + STARTED_WITHIN_MS;
  const long: Step[] = [
    { atMs: startMs, forMs: SKEWED_MS, fault: 'skew-worker', process: `worker ${skewed}` },
    { atMs: stopMs, forMs: STOPPED_MS, fault: 'stop-worker', process: `worker ${stoppedWorker}` },
    { atMs: stopMs, forMs: STOPPED_MS, fault: 'stop-api', process: `api ${stoppedApi}` },
  ];
  const faults = shuffled(briefFaults(queue), random);
  const second = Math.ceil(faults.length * ((stopMs - startMs) / spreadMs)) + 1;
  faults.splice(second + Math.floor(random() * (faults.length - second)), 0, 'kill-worker');
  const brief = faults.map((fault, i): Step => {
    const [min, max] = BRIEF_MS[fault];
    const atMs = Math.round(startMs + (spreadMs * i) / faults.length);
    const forMs = Math.round(min + random() * (max - min));
    const api = atMs < skewedUntilMs ? stoppedApi : other(stoppedApi);
    return { atMs, forMs, fault, process: processOf(fault, `worker ${skewed}`, `api ${api}`) };
  });
  brief.push({
    atMs: skewedUntilMs,
    forMs: BRIEF_MS['kill-worker'][0],
    fault: 'kill-worker',
    process: `worker ${stoppedWorker}`,
  });
  return [...long, ...brief].sort((a, b) => a.atMs - b.atMs);
}

const other = (number: 1 | 2): 1 | 2 => (number === 1 ? 2 : 1);

function briefFaults(queue: Queue): BriefFault[] {
  const all = Object.keys(BRIEF_MS) as BriefFault[];
  const here = all.filter((fault) => queue === 'redis' || !fault.endsWith('-redis'));
  return [...here.filter((fault) => fault !== 'kill-worker'), 'kill-api'];
}

function processOf(fault: BriefFault, worker: ProcessName, api: ProcessName): ProcessName | null {
  if (fault === 'kill-worker') return worker;
  return fault === 'kill-api' ? api : null;
}

export const isLong = ({ fault }: Step): boolean => !(fault in BRIEF_MS);

/** The fault, and the process that it affects. */
export const nameOf = ({ fault, process }: Step): string => (process === null ? fault : `${fault} (${process})`);
