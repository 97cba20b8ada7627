import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { print } from './report.js';
import { Teardown } from './teardown.js';

/** The user stopped the run: there is nothing to investigate. */
class Interruption extends Error {}

/**
 * Runs `run` in a new directory, and stops everything that it started, whatever happens. Keeps the directory, which has
 * the logs, if `run` fails or finds gaps. Returns the exit code.
 */
export async function runTool(
  maxMs: number,
  run: (dir: string, teardown: Teardown) => Promise<boolean>,
): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'chaos-'));
  const teardown = new Teardown();
  let keepsLogs = false;
  try {
    const isClean = await Promise.race([run(dir, teardown), interrupted(maxMs)]);
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

/** Rejects when the run has to end early; never resolves. */
function interrupted(maxMs: number): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        reject(new Interruption(`Stopped by ${signal}`));
      });
    }
    process.on('uncaughtException', reject); // includes unhandled rejections
    setTimeout(() => {
      reject(new Error('The run takes too long'));
    }, maxMs);
  });
}
