import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import type { Queue } from './plan.js';

export interface Options {
  /** What ends the load. */
  goal: { seconds: number } | { messages: number };
  /** Sends per second; null for as many as the service accepts. */
  rate: number | null;
  seed: number;
  queue: Queue;
}

const SECONDS = { min: 30, max: 86_400, fallback: 60 };
const MAX_MESSAGES = 10_000_000;
const RATE = { max: 10_000, fallback: 200 };
const SEED_LIMIT = 2 ** 31;
const MAX_RUNS = 1_000;

export const USAGE =
  `npm run chaos -- [--seconds ${SECONDS.min}…${SECONDS.max} | --messages 1…${MAX_MESSAGES}] ` +
  `[--rate 1…${RATE.max}] [--seed 0…${SEED_LIMIT - 1}] [--queue postgres|redis]`;

/** Without a duration, a guess. */
export const expectedSeconds = ({ goal }: Options): number => ('seconds' in goal ? goal.seconds : SECONDS.fallback);

/** Throws if the arguments are not valid. */
export function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const;
  const options = { seconds: text, messages: text, rate: text, seed: text, queue: text };
  const { values } = parseArgs({ args, options });
  const { queue, seconds, messages, rate, seed } = values;
  if (seconds !== undefined && messages !== undefined) throw new Error('Either --seconds or --messages ends the load');
  const isCounted = messages !== undefined;
  return {
    goal: isCounted
      ? { messages: integer('--messages', messages, 1, MAX_MESSAGES) }
      : { seconds: integer('--seconds', seconds ?? String(SECONDS.fallback), SECONDS.min, SECONDS.max) },
    rate: rate === undefined ? (isCounted ? null : RATE.fallback) : integer('--rate', rate, 1, RATE.max),
    seed: readSeed(seed),
    queue: readQueue(queue),
  };
}

/**
 * Takes the options of a series out of the arguments: `--runs` for so many random seeds, `--seeds 1,2` for these.
 * Throws if they are not valid.
 */
export function splitSeries(args: string[]): { runs: number; seeds: number[] | null; rest: string[] } {
  const text = { type: 'string' } as const;
  const options = { runs: text, seeds: text, seconds: text, messages: text, rate: text, queue: text };
  const { values } = parseArgs({ args, options });
  const { runs = '20', seeds, ...ofEach } = values;
  return {
    runs: integer('--runs', runs, 1, MAX_RUNS),
    seeds: seeds === undefined ? null : seeds.split(',').map(readSeed),
    rest: Object.entries(ofEach).flatMap(([name, value]) => [`--${name}`, value]),
  };
}

export function readSeed(text: string | undefined): number {
  return integer('--seed', text ?? String(randomInt(SEED_LIMIT)), 0, SEED_LIMIT - 1);
}

export function readQueue(text = 'postgres'): Queue {
  if (text !== 'postgres' && text !== 'redis') throw new Error('--queue is postgres or redis');
  return text;
}

/** Throws if the machine does not have its server. */
export function requireQueue(queue: Queue): void {
  if (queue === 'redis' && spawnSync('redis-server', ['--version']).status !== 0)
    throw new Error('There is no redis-server on this machine');
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} is a whole number from ${min} to ${max}`);
}
