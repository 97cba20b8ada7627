import { setTimeout as pause } from 'node:timers/promises';

import { createAccount, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, residentMegabytes, startProgram, startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';

const PORT = 41_734;
const SENDS = 200_000;
const SAMPLES = 8;
const WARM_UP_SENDS = 10_000;
const IDLE_MS = 8_000;
/** V8 returns the memory that a start needs after about a minute. */
const IDLE_AFTER_START_MS = 75_000;

/** Resident memory of API and worker in one process: idle, and growth by 200,000 sends after a warm-up. */
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
    await pause(IDLE_AFTER_START_MS);
    const idle = await residentMegabytes(service);
    const secret = await createAccount(database);
    const sendAndMeasure = async (count: number) => {
      sink.send({ count });
      const delivered = nextMessage(sink);
      await postEmailCount(url, secret, count);
      await delivered;
      await pause(IDLE_MS);
      return residentMegabytes(service);
    };
    const warm = await sendAndMeasure(WARM_UP_SENDS);
    const samples = [warm];
    for (let i = 0; i < SAMPLES; i++) samples.push(await sendAndMeasure(SENDS / SAMPLES));
    return [
      { name: 'memory: idle, API + worker, MB', ours: idle, aim: '≤ 140' },
      {
        name: `memory: after ${SENDS} sends, MB (reference: after the first ${WARM_UP_SENDS})`,
        ours: samples.at(-1)!,
        reference: warm,
        ratio: samples.at(-1)! / warm,
        aim: '≈ 1',
      },
      {
        name: 'memory: slope of it, MB per 100,000 sends',
        ours: slopeOf(samples) * ((SAMPLES * 1e5) / SENDS),
        aim: '≈ 0',
      },
    ];
  } finally {
    await stop(service);
    await stop(sink, 'SIGKILL');
    await database.stop();
  }
}

/** The slope of the linear regression, per sample. */
function slopeOf(samples: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, height] = [(samples.length - 1) / 2, mean(samples)];
  const covariance = mean(samples.map((sample, i) => (i - middle) * (sample - height)));
  return covariance / mean(samples.map((_, i) => (i - middle) ** 2));
}
