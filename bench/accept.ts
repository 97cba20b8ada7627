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
    const rounds: { ours: LoadResult; reference: LoadResult }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        reference: await postEmails(reference, secret, SECONDS),
        ours: await postEmails(ours, secret, SECONDS),
      });
      await pause(500);
    }
    return [
      {
        name: 'accept: sends/s, 64 connections, 1 KB HTML',
        ours: median(rounds.map((round) => round.ours.perSecond)),
        reference: median(rounds.map((round) => round.reference.perSecond)),
        ratio: median(rounds.map((round) => round.ours.perSecond / round.reference.perSecond)),
        aim: '≥ 0.7',
      },
      {
        name: 'accept: p99 in ms',
        ours: median(rounds.map((round) => round.ours.p99Ms)),
        reference: median(rounds.map((round) => round.reference.p99Ms)),
        ratio: median(rounds.map((round) => round.ours.p99Ms / round.reference.p99Ms)),
        aim: '≤ 2',
      },
    ];
  } finally {
    await stop(service);
    await stop(bare);
    await database.stop();
  }
}
