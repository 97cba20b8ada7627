import { setTimeout as pause } from 'node:timers/promises';

import { createAccount, startDatabase } from './support/environment.js';
import { postEmails } from './support/load.js';
import { startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';

const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const PORT = 41_781;
const URL = `http://127.0.0.1:${PORT}`;
const REQUEST_LIMIT = 1_000;

/**
 * Accepted sends per second with PROCESSES=1, 2 and 4 on one PostgreSQL. With fewer cores than processes it measures
 * the cost of sharing.
 */
export async function benchScale(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1, 2, 4]) {
    const ours = await acceptedPerSecond(count);
    const reference = rows[0]?.ours;
    rows.push({
      name: `scale: sends/s, PROCESSES=${count}, 64 connections for each`,
      ours,
      ...(reference !== undefined && { reference, ratio: ours / reference }),
      aim: '',
    });
  }
  return rows;
}

async function acceptedPerSecond(count: number): Promise<number> {
  const database = await startDatabase();
  const service = startService({
    ROLE: 'api',
    PROCESSES: String(count),
    PORT: String(PORT),
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '10',
    MAX_REQUESTS_IN_FLIGHT: String(REQUEST_LIMIT),
  });
  try {
    await untilReady(URL);
    await untilAllReady(count);
    const secret = await createAccount(database);
    const post = (seconds: number) =>
      Promise.all(Array.from({ length: count }, () => postEmails(URL, secret, seconds)));
    await post(WARM_UP_SECONDS);
    return (await post(SECONDS)).reduce((sum, { perSecond }) => sum + perSecond, 0);
  } finally {
    await stop(service);
    await database.stop();
  }
}

/** Until the limits of all processes add up. */
async function untilAllReady(count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${URL}/metrics`)).text();
    if (metrics.includes(`http_requests_in_flight{state="limit"} ${count * REQUEST_LIMIT}\n`)) return;
    await pause(100);
  }
}
