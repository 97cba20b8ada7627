import type { ProcessName } from './processes.js';
import { randomFrom, shuffled } from './random.js';

export type Queue = 'postgres' | 'redis';

/**
 * What each fault does is described in docs/chaos.md. The numbers: for how many milliseconds it lasts, at least and at
 * most.
 */
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
  'fill-pool': [800, 1_000],
} satisfies Record<string, [least: number, most: number]>;

type BriefFault = keyof typeof BRIEF_MS;
/** These go on beside the brief ones. */
type LongFault = 'skew-worker' | 'stop-worker' | 'stop-api';
export type Fault = BriefFault | LongFault;

export interface Step {
  /** From the beginning of the load. */
  atMs: number;
  forMs: number;
  fault: Fault;
  /** Null where no process of the service is struck. */
  process: ProcessName | null;
}

export const CALM_MS = 4_000;
/**
 * In the first part of a round the clock of a worker is ahead, from when it is ready; in the second, processes are
 * stopped.
 */
const SKEWED_MS = 10_000;
/** On a machine that is not overloaded. */
const STARTED_WITHIN_MS = 5_000;
const STOPPED_MS = 45_000;
const ROUND_MS = 2 * STARTED_WITHIN_MS + SKEWED_MS + STOPPED_MS + 1_000;
/** Leases last 30 s: what the last brief fault lost is taken over before, or shortly after, the load ends. */
const TAIL_MS = 24_000;

/** As many rounds as fit into the seconds, at least one; the load goes on until the last one is over. */
export function planFaults(seed: number, seconds: number, queue: Queue): Step[] {
  const rounds = Math.max(1, Math.round((seconds * 1_000 - CALM_MS) / ROUND_MS));
  return Array.from({ length: rounds }, (_, round) => planRound(seed, queue, round, round === rounds - 1)).flat();
}

/** Round after round, without end. */
export function* planWithoutEnd(seed: number, queue: Queue): Generator<Step> {
  for (let round = 0; ; round++) yield* planRound(seed, queue, round, false);
}

/**
 * All faults: the brief ones in an order of the round's own, spread evenly, the last round's early enough for the
 * leases of what they lose. One worker's clock is ahead at first; then the other worker is killed, and stopped once it
 * is back, as is one API process. Meanwhile kills strike whoever is not stopped.
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
    const [least, most] = BRIEF_MS[fault];
    const atMs = Math.round(startMs + (spreadMs * i) / faults.length);
    const forMs = Math.round(least + random() * (most - least));
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

/** The fault, and whom it strikes. */
export const nameOf = ({ fault, process }: Step): string => (process === null ? fault : `${fault} (${process})`);
