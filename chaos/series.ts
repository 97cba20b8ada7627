import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readOptions, readSeed, requireQueue, splitSeries, USAGE } from './options.js';
import { print } from './report.js';
import { formatRow, HEADER, outcomeOf } from './series-table.js';

const RUN = fileURLToPath(new URL('./run.js', import.meta.url));

/** Runs one seed after the other in a process of its own. Returns the exit code. */
async function main(args: string[]): Promise<number> {
  let seeds: number[];
  let rest: string[];
  let queue: string;
  try {
    const series = splitSeries(args);
    ({ rest } = series);
    const options = readOptions(rest);
    requireQueue(options.queue);
    ({ queue } = options);
    seeds = series.seeds ?? Array.from({ length: series.runs }, () => readSeed(undefined));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE.replace('chaos', 'chaos:series')} [--runs 1…1000]\n`);
    return 2;
  }
  const dir = await mkdtemp(join(tmpdir(), 'chaos-series-'));
  print(`The output of each run: ${dir}`);
  print(HEADER);
  let isClean = true;
  for (const seed of seeds) {
    const log = join(dir, `${queue}-${seed}.log`);
    const { code, output } = await runOnce([...rest, '--seed', String(seed)], log);
    const outcome = outcomeOf(output, code);
    print(formatRow(seed, queue, outcome));
    isClean &&= code === 0;
  }
  return isClean ? 0 : 1;
}

async function runOnce(args: string[], logFile: string): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  // Ctrl-C reaches the child by itself.
  const stop = () => child.kill('SIGTERM');
  process.on('SIGTERM', stop);
  const log = createWriteStream(logFile);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('SIGTERM', stop);
  log.end();
  return { code: code ?? 1, output };
}

process.exit(await main(process.argv.slice(2)));
