import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEnvironment } from './environment.js';
import { type Options, readQueue, readSeed, requireQueue } from './options.js';
import { buildRelease, findPreviousRelease, NoPreviousRelease, type Release } from './previous-release.js';
import { print } from './report.js';
import { runTool } from './run-tool.js';
import type { Teardown } from './teardown.js';
import { upgradeAndReconcile } from './upgrade-and-reconcile.js';

const USAGE = 'npm run upgrade -- [--from <commit or tag>] [--seed <number>] [--queue postgres|redis]';
const RATE = 60;
/** About as long as the load lasts; determines the cap of the capped account. */
const EXPECTED_SECONDS = 40;
/** Ten times as long as usual. */
const MAX_MS = 900_000;

/** Returns whether there are no gaps. */
async function run(options: Options, release: Release, dir: string, teardown: Teardown): Promise<boolean> {
  print(`Upgrading from ${release.commit.slice(0, 9)} (${release.name}) with ${release.added.length} more migrations`);
  print(`To replay: npm run upgrade -- --from ${release.commit} --seed ${options.seed} --queue ${options.queue}`);
  const main = await buildRelease(release.commit, join(dir, 'previous-release'), teardown);
  print(`It is built after ${process.uptime().toFixed(1)} s.`);
  const environment = await startEnvironment(options, { main, perRole: 1 }, dir, teardown);
  print(`It is up after ${process.uptime().toFixed(1)} s. The logs: ${environment.dir}`);
  return upgradeAndReconcile(options, release, environment, teardown);
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  let from: string | undefined;
  let options: Options;
  let release: Release;
  try {
    const { values } = parseArgs({ options: { from: text, seed: text, queue: text } });
    from = values.from;
    options = {
      goal: { seconds: EXPECTED_SECONDS },
      rate: RATE,
      seed: readSeed(values.seed),
      queue: readQueue(values.queue),
    };
    requireQueue(options.queue);
    release = findPreviousRelease(from);
  } catch (error) {
    if (error instanceof NoPreviousRelease && from === undefined) {
      print(`The upgrade is not tested: ${error.message}.`);
      return 0;
    }
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  return runTool(MAX_MS, (dir, teardown) => run(options, release, dir, teardown));
}

process.exit(await main());
