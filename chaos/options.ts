import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import type { Queue } from './plan.js';

export interface Options {
  /** What ends the load. */
  goal: { seconds: number } | { messages: number };
  /** Sends a second; null: as many as are accepted. */
  rate: number | null;
  seed: number;
  queue: Queue;
}

const SECONDS = { least: 30, most: 86_400, usual: 60 };
const MOST_MESSAGES = 10_000_000;
const RATE = { most: 10_000, usual: 200 };
const MOST_SEED = 2 ** 31;

export const USAGE =
  `npm run chaos -- [--seconds ${SECONDS.least}…${SECONDS.most} | --messages 1…${MOST_MESSAGES}] ` +
  `[--rate 1…${RATE.most}] [--seed 0…${MOST_SEED - 1}] [--queue postgres|redis]`;

/** Throws what is wrong with them. */
export function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const;
  const options = { seconds: text, messages: text, rate: text, seed: text, queue: text };
  const { values } = parseArgs({ args, options });
  const { queue = 'postgres', seconds, messages, rate, seed } = values;
  if (queue !== 'postgres' && queue !== 'redis') throw new Error('--queue is postgres or redis');
  if (seconds !== undefined && messages !== undefined) throw new Error('Either --seconds or --messages ends the load');
  const isCounted = messages !== undefined;
  return {
    goal: isCounted
      ? { messages: integer('--messages', messages, 1, MOST_MESSAGES) }
      : { seconds: integer('--seconds', seconds ?? String(SECONDS.usual), SECONDS.least, SECONDS.most) },
    rate: rate === undefined ? (isCounted ? null : RATE.usual) : integer('--rate', rate, 1, RATE.most),
    seed: integer('--seed', seed ?? String(randomInt(MOST_SEED)), 0, MOST_SEED - 1),
    queue,
  };
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} is a whole number from ${least} to ${most}`);
}
