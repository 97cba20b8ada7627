import { setTimeout as pause } from 'node:timers/promises';

import { createAccount, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, residentMegabytes, startProgram, startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';

const PORT = 41_734;
const SENDS = 50_000;
const WARM_UP_SENDS = 10_000;
const SETTLE_MS = 8_000;

/** Resident memory of API and worker in one process: idle, and what 50,000 sends leave behind after a warm-up. */
export async function benchMemory(): Promise<Row[]> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const { port } = await nextMessage<{ port: number }>(sink);
  const service = startService({
    PORT: String(PORT),
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  });
  try {
    const url = `http://127.0.0.1:${PORT}`;
    await untilReady(url);
    await pause(SETTLE_MS);
    const idle = await residentMegabytes(service);
    const secret = await createAccount(database);
    const sendAndSettle = async (count: number) => {
      sink.send({ count });
      const delivered = nextMessage(sink);
      await postEmailCount(url, secret, count);
      await delivered;
      await pause(SETTLE_MS);
      return residentMegabytes(service);
    };
    const warm = await sendAndSettle(WARM_UP_SENDS);
    const after = await sendAndSettle(SENDS);
    return [
      { name: 'memory: idle, API + worker, MB', ours: idle, aim: '≤ 180' },
      {
        name: `memory: after ${SENDS} sends, MB (reference: after the first ${WARM_UP_SENDS})`,
        ours: after,
        reference: warm,
        ratio: after / warm,
        aim: '≈ 1',
      },
    ];
  } finally {
    await stop(service);
    await stop(sink, 'SIGKILL');
    await database.stop();
  }
}
