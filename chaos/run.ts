import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { collect } from './collect.js';
import { Faults } from './faults.js';
import { reconcile } from './ledger.js';
import { Load } from './load.js';
import { type Options, readOptions, USAGE } from './options.js';
import { nameOf, planFaults, type Step } from './plan.js';
import { Reports } from './reports.js';
import { say, sayAt, sayLedger, sayPlan, sayTimes } from './report.js';
import { settle } from './settle.js';
import { setStage, type Stage } from './stage.js';
import { Teardown } from './teardown.js';
import { acceptTimes } from './times.js';

/** Beyond the seconds of load: for the start, and for the end of everything that was begun. */
const MOST_EXTRA_MS = 240_000;

/** True if the ledger adds up. */
async function run(options: Options, dir: string, teardown: Teardown): Promise<boolean> {
  const plan = planFaults(options.seed, options.seconds, options.queue);
  sayPlan(options, plan);
  const stage = await setStage(options, dir, teardown);
  say(`\nThe service is up after ${process.uptime().toFixed(1)} s. Its logs: ${stage.dir}`);
  return breakAndReconcile(options, plan, stage, teardown);
}

async function breakAndReconcile({ seconds, seed }: Options, plan: Step[], stage: Stage, teardown: Teardown) {
  const { clients, accounts } = stage;
  const load = new Load(clients, accounts, seed);
  const reports = new Reports(clients, accounts, { sink: stage.relay.server, aws: stage.ses.server }, seed);
  const faults = new Faults(stage, load, teardown);
  const start = Date.now();
  const telling = reports.run();
  const sayNow = (what: string) => {
    sayAt(Date.now() - start, what);
  };
  const breaking = faults.run(plan, (step) => {
    sayNow(nameOf(step));
  });
  const brokenUntil = breaking.then(() => Date.now());
  await Promise.all([load.run(seconds), breaking]);
  sayNow('the load ends');
  const { unfinished, broughtForward } = await settle(stage, load, reports);
  reports.stop();
  await telling;
  sayNow(`quiet; ${broughtForward} retries were brought forward`);
  const evidence = await collect(stage, load, reports, faults, unfinished);
  const entries = reconcile(evidence);
  sayLedger(entries);
  sayTimes(acceptTimes(evidence, { from: start + (plan[0]?.atMs ?? 0), to: await brokenUntil }));
  return entries.every(({ gaps }) => gaps.length === 0);
}

/** By whoever started it: there is nothing to look into. */
class Interruption extends Error {}

/** Rejects when the run has to end early; never resolves. */
function interrupted(options: Options): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        reject(new Interruption(`Stopped by ${signal}`));
      });
    }
    process.on('uncaughtException', reject); // what promises throw that nobody waits for, too
    setTimeout(
      () => {
        reject(new Error('It takes too long'));
      },
      options.seconds * 1_000 + MOST_EXTRA_MS,
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
    say(isClean ? '\nNothing is lost.' : '\nThe ledger has gaps.');
    return isClean ? 0 : 1;
  } catch (error) {
    const wasStopped = error instanceof Interruption;
    process.stderr.write(`${String(wasStopped ? error.message : (error as Error).stack)}\n`);
    keepsLogs = !wasStopped;
    return 1;
  } finally {
    await teardown.run();
    if (!keepsLogs) await rm(dir, { recursive: true, force: true });
    say(`Everything is stopped after ${process.uptime().toFixed(1)} s.`);
  }
}

process.exit(await main());
