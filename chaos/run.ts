import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { breakAndReconcile } from './break-and-reconcile.js';
import { startEnvironment } from './environment.js';
import { type Options, readOptions, USAGE } from './options.js';
import { print, printCommand } from './report.js';
import { Teardown } from './teardown.js';

/** In addition to the load: for the start, the rest of the plan, and the remaining work. */
const MAX_EXTRA_MS = 600_000;
/** Slower than any suitable machine. */
const MIN_PER_SECOND = 20;

/** Returns whether there are no gaps. */
async function run(options: Options, dir: string, teardown: Teardown): Promise<boolean> {
  printCommand(options);
  const environment = await startEnvironment(options, dir, teardown);
  print(`\nThe service is up after ${process.uptime().toFixed(1)} s. Its logs: ${environment.dir}`);
  return breakAndReconcile(options, environment, teardown);
}

/** The user stopped the run: there is nothing to investigate. */
class Interruption extends Error {}

/** Rejects when the run has to end early; never resolves. */
function interrupted({ goal }: Options): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        reject(new Interruption(`Stopped by ${signal}`));
      });
    }
    process.on('uncaughtException', reject); // includes unhandled rejections
    const seconds = 'seconds' in goal ? goal.seconds : goal.messages / MIN_PER_SECOND;
    setTimeout(
      () => {
        reject(new Error('The run takes too long'));
      },
      seconds * 1_000 + MAX_EXTRA_MS,
    );
  });
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
    if (options.queue === 'redis' && spawnSync('redis-server', ['--version']).status !== 0)
      throw new Error('There is no redis-server on this machine');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const dir = await mkdtemp(join(tmpdir(), 'chaos-'));
  const teardown = new Teardown();
  let keepsLogs = false;
  try {
    const isClean = await Promise.race([run(options, dir, teardown), interrupted(options)]);
    keepsLogs = !isClean;
    print(isClean ? '\nNothing is lost.' : '\nThe checks found gaps.');
    return isClean ? 0 : 1;
  } catch (error) {
    const wasStopped = error instanceof Interruption;
    process.stderr.write(`${String(wasStopped ? error.message : (error as Error).stack)}\n`);
    keepsLogs = !wasStopped;
    return 1;
  } finally {
    await teardown.run();
    if (!keepsLogs) await rm(dir, { recursive: true, force: true });
    print(`Everything stopped after ${process.uptime().toFixed(1)} s.`);
  }
}

process.exit(await main());
