import type { Environment } from './environment.js';
import { acceptTimes } from './evidence/times.js';
import { Faults } from './faults.js';
import { expectedSeconds, type Options } from './options.js';
import { CALM_MS, planFaults, planWithoutEnd } from './plan.js';
import { reconcile } from './reconcile.js';
import {
  printAt,
  printChecks,
  printFaults,
  printHarness,
  printPlan,
  printRate,
  printTimes,
  withDuration,
} from './report.js';
import type { Teardown } from './teardown.js';
import { Traffic } from './traffic.js';

/** Without a rate: how many messages may be accepted but not received, and how many reports may wait. */
const MAX_BEHIND = 50_000;
const MAX_REPORTS_BEHIND = 5_000;
const PROGRESS_EVERY_MS = 30_000;
const MEMORY_EVERY_MS = 1_000;

/** Runs load and faults, waits until all work is done, and checks the result. Returns whether there are no gaps. */
export async function breakAndReconcile(
  options: Options,
  environment: Environment,
  teardown: Teardown,
): Promise<boolean> {
  const { goal, rate, seed, queue } = options;
  const traffic = new Traffic(environment, seed);
  const { load, copies, reports } = traffic;
  load.isScheduling = true;
  await traffic.createCampaigns(environment.processes.apiUrls[0]!, expectedSeconds(options), environment.clients);
  await traffic.createErasures(environment.processes.apiUrls[0]!, expectedSeconds(options));
  const faults = new Faults(environment, load, teardown);
  const memory = watchMemory(teardown);

  const start = Date.now();
  const announce = (what: string) => {
    printAt(Date.now() - start, what);
  };
  watchProgress(teardown, () => {
    announce(
      `${load.sends.acceptedCount} accepted, ${copies.recipients} received, ${reports.unfinished} reports waiting`,
    );
  });
  const isAccepted = () => 'messages' in goal && load.sends.acceptedCount >= goal.messages;
  const plan = 'seconds' in goal ? planFaults(seed, goal.seconds, queue) : planWithoutEnd(seed, queue);
  if (Array.isArray(plan)) printPlan(plan);
  let brokenUntil = 0;
  const breaking = faults
    .run(plan, isAccepted, (step) => {
      announce(withDuration(step));
    })
    .then(() => (brokenUntil = Date.now()));
  const isOver = () =>
    'messages' in goal ? isAccepted() : brokenUntil > 0 && Date.now() >= start + goal.seconds * 1_000;
  const keepsUp = () =>
    load.sends.acceptedCount - load.schedules.canceled.size - copies.recipients < MAX_BEHIND &&
    reports.unfinished < MAX_REPORTS_BEHIND;
  traffic.start();
  await load.run(rate, isOver, keepsUp);
  const loadMs = Date.now() - start;
  announce(`the load ends, ${load.sends.acceptedCount} accepted, ${copies.recipients} received`);
  await breaking;

  const idle = await traffic.untilIdle();
  announce(`idle; ${idle.broughtForward} retries were brought forward`);
  const totalMs = Date.now() - start;

  const evidence = await traffic.collect(faults, idle);
  const results = await reconcile(evidence);
  printFaults(faults);
  printRate({ accepted: load.sends.acceptedCount, copies: copies.count }, loadMs, totalMs);
  printHarness(memory);
  printTimes(acceptTimes(evidence, { from: start + CALM_MS, to: brokenUntil }));
  printChecks(results);
  return results.every(({ gaps }) => gaps.count === 0);
}

function watchMemory(teardown: Teardown): { mostMb: number } {
  const memory = { mostMb: 0 };
  const timer = setInterval(() => {
    memory.mostMb = Math.max(memory.mostMb, process.memoryUsage.rss() / 2 ** 20);
  }, MEMORY_EVERY_MS);
  teardown.add(() => {
    clearInterval(timer);
    return undefined;
  });
  return memory;
}

function watchProgress(teardown: Teardown, announce: () => void): void {
  const timer = setInterval(announce, PROGRESS_EVERY_MS);
  teardown.add(() => {
    clearInterval(timer);
    return undefined;
  });
}
