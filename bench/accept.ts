import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import { createAccount, startDatabase } from './support/environment.js';
import { type LoadResult, postEmails } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const POOL_SIZE = '20';
const PORT = 41_731;

type Round = Record<'ours' | 'reference' | 'floor' | 'sameStatements', LoadResult>;

/**
 * Accepted sends per second, compared with a bare Express handler with one durable INSERT per request, and with Nest
 * with the validation of the service and such an INSERT, and with its two statements instead.
 */
export async function benchAccept(): Promise<Row[]> {
  const database = await startDatabase();
  const service = startService({
    ROLE: 'api',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: POOL_SIZE,
  });
  const others: ChildProcess[] = [];
  const startOther = async (name: string, env: Record<string, string> = {}) => {
    const variables = { DATABASE_URL: database.url, POOL_SIZE, ...env };
    const program = startProgram(`.bench/bench/programs/${name}.js`, variables);
    others.push(program);
    return `http://127.0.0.1:${(await nextMessage<{ port: number }>(program)).port}`;
  };
  try {
    const ours = `http://127.0.0.1:${PORT}`;
    await untilReady(ours);
    const secret = await createAccount(database);
    const [reference, floor] = [await startOther('bare-express'), await startOther('bare-nest')];
    const sameStatements = await startOther('bare-nest', { STATEMENTS: 'service' });
    for (const url of [reference, floor, sameStatements, ours]) await postEmails(url, secret, WARM_UP_SECONDS);
    const load = async (connections: number) => {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({
          reference: await postEmails(reference, secret, SECONDS, connections),
          ours: await postEmails(ours, secret, SECONDS, connections),
          floor: await postEmails(floor, secret, SECONDS, connections),
          sameStatements: await postEmails(sameStatements, secret, SECONDS, connections),
        });
        await pause(500);
      }
      return rounds;
    };
    const [concurrent, single] = [await load(64), await load(1)];
    return [
      compare('accept: sends/s, 64 connections, 1 KB HTML', '≥ 0.85', concurrent, 'perSecond'),
      compare('accept: p99 in ms', '≤ 1.5', concurrent, 'p99Ms'),
      compare('accept: sends/s, one connection', '≥ 0.6', single, 'perSecond'),
      compare('accept: sends/s relative to Nest', '', concurrent, 'perSecond', 'floor'),
      compare('accept: p99 in ms relative to Nest', '', concurrent, 'p99Ms', 'floor'),
      compare('accept: sends/s relative to Nest, one connection', '', single, 'perSecond', 'floor'),
      compare(
        'accept: relative to Nest with the same statements, one connection',
        '',
        single,
        'perSecond',
        'sameStatements',
      ),
    ];
  } finally {
    await stop(service);
    for (const program of others) await stop(program);
    await database.stop();
  }
}

function compare(
  name: string,
  aim: string,
  rounds: Round[],
  figure: keyof LoadResult,
  to: Exclude<keyof Round, 'ours'> = 'reference',
): Row {
  return {
    name,
    ours: median(rounds.map(({ ours }) => ours[figure])),
    reference: median(rounds.map((round) => round[to][figure])),
    ratio: median(rounds.map((round) => round.ours[figure] / round[to][figure])),
    aim,
  };
}
