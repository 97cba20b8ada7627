import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import type { Queue } from './plan.js';

export interface Options {
  seconds: number;
  seed: number;
  queue: Queue;
}

const LEAST_SECONDS = 30;
const MOST_SECONDS = 3_600;
const MOST_SEED = 2 ** 31;

export const USAGE = `npm run chaos -- [--seconds ${LEAST_SECONDS}…${MOST_SECONDS}] [--seed 0…${MOST_SEED - 1}] [--queue postgres|redis]`;

/** Throws what is wrong with them. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, queue: { type: 'string' } },
  });
  const { queue = 'postgres' } = values;
  if (queue !== 'postgres' && queue !== 'redis') throw new Error('--queue is postgres or redis');
  return {
    seconds: integer('--seconds', values.seconds ?? '60', LEAST_SECONDS, MOST_SECONDS),
    seed: integer('--seed', values.seed ?? String(randomInt(MOST_SEED)), 0, MOST_SEED - 1),
    queue,
  };
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} is a whole number from ${least} to ${most}`);
}
