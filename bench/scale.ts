import { createAccount, startDatabase } from './support/environment.js';
import { postEmails } from './support/load.js';
import { startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';

const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const FIRST_PORT = 41_781;

/**
 * Accepted sends per second of one, two and four API processes on one PostgreSQL. With fewer cores than processes it
 * measures the cost of sharing.
 */
export async function benchScale(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1, 2, 4]) {
    const ours = await acceptedPerSecond(count);
    const reference = rows[0]?.ours;
    rows.push({
      name: `scale: sends/s, ${count} API ${count === 1 ? 'process' : 'processes'}, 64 connections each`,
      ours,
      ...(reference !== undefined && { reference, ratio: ours / reference }),
      aim: '',
    });
  }
  return rows;
}

async function acceptedPerSecond(count: number): Promise<number> {
  const database = await startDatabase();
  const ports = Array.from({ length: count }, (_, i) => FIRST_PORT + i);
  const services = ports.map((port) =>
    startService({
      ROLE: 'api',
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '10',
    }),
  );
  try {
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    await Promise.all(urls.map((url) => untilReady(url)));
    const secret = await createAccount(database);
    const post = (seconds: number) => Promise.all(urls.map((url) => postEmails(url, secret, seconds)));
    await post(WARM_UP_SECONDS);
    return (await post(SECONDS)).reduce((sum, { perSecond }) => sum + perSecond, 0);
  } finally {
    await Promise.all(services.map((service) => stop(service)));
    await database.stop();
  }
}
