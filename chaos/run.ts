import { breakAndReconcile } from './break-and-reconcile.js';
import { startEnvironment } from './environment.js';
import { type Options, readOptions, requireQueue, USAGE } from './options.js';
import { MAIN } from './processes.js';
import { print, printCommand } from './report.js';
import { runTool } from './run-tool.js';
import type { Teardown } from './teardown.js';

/** In addition to the load: for the start, the rest of the plan, and the remaining work. */
const MAX_EXTRA_MS = 600_000;
/** Slower than any suitable machine. */
const MIN_PER_SECOND = 20;

/** Returns whether there are no gaps. */
async function run(options: Options, dir: string, teardown: Teardown): Promise<boolean> {
  printCommand(options);
  const environment = await startEnvironment(options, { main: MAIN, perRole: 2 }, dir, teardown);
  print(`\nThe service is up after ${process.uptime().toFixed(1)} s. Its logs: ${environment.dir}`);
  return breakAndReconcile(options, environment, teardown);
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
    requireQueue(options.queue);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const { goal } = options;
  const seconds = 'seconds' in goal ? goal.seconds : goal.messages / MIN_PER_SECOND;
  return runTool(seconds * 1_000 + MAX_EXTRA_MS, (dir, teardown) => run(options, dir, teardown));
}

process.exit(await main());
