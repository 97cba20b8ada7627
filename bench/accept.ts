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

type Round = Record<'ours' | 'reference', LoadResult>;

/** Accepted sends per second, compared with a bare Express handler with one durable INSERT per request. */
export async function benchAccept(): Promise<Row[]> {
  const database = await startDatabase();
  const service = startService({
    ROLE: 'api',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: POOL_SIZE,
  });
  const bare = startProgram('.bench/bench/programs/bare-express.js', { DATABASE_URL: database.url, POOL_SIZE });
  try {
    const { port } = await nextMessage<{ port: number }>(bare);
    const [ours, reference] = [`http://127.0.0.1:${PORT}`, `http://127.0.0.1:${port}`];
    await untilReady(ours);
    const secret = await createAccount(database);
    await postEmails(reference, secret, WARM_UP_SECONDS);
    await postEmails(ours, secret, WARM_UP_SECONDS);
    const load = async (connections: number) => {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({
          reference: await postEmails(reference, secret, SECONDS, connections),
          ours: await postEmails(ours, secret, SECONDS, connections),
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
    ];
  } finally {
    await stop(service);
    await stop(bare);
    await database.stop();
  }
}

const compare = (name: string, aim: string, rounds: Round[], figure: keyof LoadResult): Row => ({
  name,
  ours: median(rounds.map(({ ours }) => ours[figure])),
  reference: median(rounds.map(({ reference }) => reference[figure])),
  ratio: median(rounds.map(({ ours, reference }) => ours[figure] / reference[figure])),
  aim,
});
