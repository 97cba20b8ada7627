import { randomFrom, shuffled } from './random.js';

export type Queue = 'postgres' | 'redis';

/** What each fault does is told in faults.ts. The numbers: for how many milliseconds it lasts, at least and at most. */
const DURATIONS_MS = {
  'kill-worker': [500, 2_000],
  'kill-api': [500, 2_000],
  'kill-postgres': [500, 2_000],
  'kill-redis': [500, 2_000],
  'relay-421': [1_000, 2_500],
  'relay-hang': [1_000, 2_500],
  'relay-cut': [500, 1_000],
  'ses-429': [1_000, 2_500],
  'ses-500': [1_000, 2_500],
  'ses-hang': [1_000, 2_500],
  'ses-cut': [500, 1_000],
  'receiver-503': [1_000, 2_500],
  'cut-clients': [0, 0],
  'cut-database': [0, 0],
  'cut-redis': [0, 0],
  'fill-pool': [800, 1_000],
} satisfies Record<string, [least: number, most: number]>;

export type Fault = keyof typeof DURATIONS_MS;

export interface Step {
  /** From the beginning of the load. */
  atMs: number;
  forMs: number;
  fault: Fault;
  /** Which of two processes of a kind it strikes. */
  which: 0 | 1;
}

const CALM_MS = 4_000;
const ROUND_MS = 45_000;
/** Leases last 30 s: what is lost last is taken over before, or shortly after, the load ends. */
const TAIL_MS = 24_000;

/**
 * Rounds of all faults, each in an order of its own, spread evenly between a calm beginning and a calm end. Processes are
 * killed twice a round, one of each kind at least once.
 */
export function planFaults(seed: number, seconds: number, queue: Queue): Step[] {
  const random = randomFrom(seed);
  const endMs = Math.max(seconds * 1_000 - TAIL_MS, (seconds * 1_000) / 2);
  const rounds = Math.max(1, Math.round((endMs - CALM_MS) / ROUND_MS));
  const drawn = Array.from({ length: rounds }, () => shuffled(faultsOfRound(queue), random)).flat();
  const first = random() < 0.5 ? 0 : 1;
  const struck = new Map<Fault, number>();
  return drawn.map((fault, i) => {
    const [least, most] = DURATIONS_MS[fault];
    const count = struck.get(fault) ?? 0;
    struck.set(fault, count + 1);
    return {
      atMs: Math.round(CALM_MS + ((endMs - CALM_MS) * i) / drawn.length),
      forMs: Math.round(least + random() * (most - least)),
      fault,
      which: (first + count) % 2 === 0 ? 0 : 1,
    };
  });
}

function faultsOfRound(queue: Queue): Fault[] {
  const all = Object.keys(DURATIONS_MS) as Fault[];
  const here = all.filter((fault) => queue === 'redis' || !fault.endsWith('-redis'));
  return [...here, 'kill-worker', 'kill-api'];
}

/** The fault, and of two processes of a kind which one. */
export const nameOf = ({ fault, which }: Step): string =>
  fault === 'kill-worker' || fault === 'kill-api' ? `${fault} ${which + 1}` : fault;
