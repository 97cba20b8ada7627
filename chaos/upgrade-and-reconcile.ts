import { setTimeout as pause } from 'node:timers/promises';

import { type CheckResult, Gaps } from './checks/check-result.js';
import { checkResponsesOfUpgrade } from './checks/responses-of-upgrade.js';
import { Clients, exchangeOf } from './clients.js';
import type { Environment } from './environment.js';
import type { Disturbances } from './evidence/evidence.js';
import type { Span } from './evidence/spans.js';
import type { Options } from './options.js';
import type { Release } from './previous-release.js';
import { MAIN, type ProcessName } from './processes.js';
import { reconcile } from './reconcile.js';
import { print, printAt, printChecks, printRate } from './report.js';
import type { Teardown } from './teardown.js';
import { Traffic } from './traffic.js';
import { bringForward } from './wait-until-idle.js';

/** So that deliveries are in flight whenever a process stops. */
const PROVIDER_DELAY_MS = 200;
const BEFORE_MS = 4_000;
const NEW_API_MS = 4_000;
const ALL_MS = 8_000;
const SWEEP_EVERY_MS = 500;
const OLD_WORKER_MS = 3_000;
const AFTER_MS = 5_000;
/** Campaigns last for about this part of the load, so that they run while processes are replaced. */
const CAMPAIGN_SECONDS = 30;
/** The same for campaigns that start once the old processes have stopped. */
const LATE_CAMPAIGN_SECONDS = 10;

const NOT_FOUND = 404;
/** Nothing happens that would excuse a second copy or a 5xx. */
const UNDISTURBED: Disturbances = { outages: [], locks: [], awsOutages: [], disruptions: [], processLosses: [] };

/** Replaces the processes of the release by those of this version, under load. Returns whether there are no gaps. */
export async function upgradeAndReconcile(
  { rate, seed }: Options,
  release: Release,
  environment: Environment,
  teardown: Teardown,
): Promise<boolean> {
  const traffic = new Traffic(environment, seed);
  const { load, copies } = traffic;
  environment.relay.delayMs = environment.aws.delayMs = PROVIDER_DELAY_MS;
  if (await hasCampaigns(environment))
    await traffic.createCampaigns(environment.processes.apiUrls[0]!, CAMPAIGN_SECONDS, environment.clients);
  const start = Date.now();
  const announce = (what: string) => {
    printAt(Date.now() - start, what);
  };
  let isOver = false;
  traffic.start();
  const upgrade = replaceProcesses(environment, traffic, teardown, announce).finally(() => (isOver = true));
  await load.run(
    rate,
    () => isOver,
    () => true,
  );
  const { migration, stops } = await upgrade;
  const loadMs = Date.now() - start;
  const idle = await traffic.untilIdle();
  announce('idle');
  const totalMs = Date.now() - start;

  const evidence = await traffic.collect(UNDISTURBED, idle);
  const results = await reconcile(evidence, (all, storedFor) => checkResponsesOfUpgrade(all, storedFor, stops));
  results.push(checkMigrations(release));
  printRate({ accepted: load.sends.acceptedCount, copies: copies.count }, loadMs, totalMs);
  printLongest(environment, migration);
  printChecks(results);
  return results.every(({ gaps }) => gaps.count === 0);
}

/** In the order that docs/operations.md describes, except that both versions work side by side for longer. */
async function replaceProcesses(
  environment: Environment,
  traffic: Traffic,
  teardown: Teardown,
  announce: (what: string) => void,
): Promise<{ migration: Span; stops: Span[] }> {
  const { processes, clients } = environment;
  await pause(BEFORE_MS);
  const migration = { from: Date.now(), to: Infinity };
  await processes.launch(['api 2'], MAIN);
  migration.to = Date.now();
  announce(`the new API is ready, after ${migration.to - migration.from} ms with the migrations`);
  const url = processes.apiUrls[1]!;
  clients.add(url);
  await pause(NEW_API_MS);
  await processes.launch(['worker 2'], MAIN);
  announce('the new worker is ready');
  // Each version takes over what the other has left, as it would after minutes.
  const end = Date.now() + ALL_MS;
  while (Date.now() < end) {
    await bringForward(environment);
    await pause(SWEEP_EVERY_MS);
  }
  const stops: Span[] = [];
  const stop = async (name: ProcessName) => {
    const span = { from: Date.now(), to: Infinity };
    stops.push(span);
    await processes.stop(name);
    span.to = Date.now();
    announce(`the old ${name.split(' ')[0]} has stopped, after ${span.to - span.from} ms`);
  };
  await stop('api 1');
  await pause(OLD_WORKER_MS);
  await stop('worker 1');
  if (!traffic.hasCampaigns) await startCampaigns(environment, traffic, url, teardown);
  await pause(AFTER_MS);
  return { migration, stops };
}

/** The release does not know campaigns, so they start once none of its processes runs. */
async function startCampaigns(
  { answers }: Environment,
  traffic: Traffic,
  url: string,
  teardown: Teardown,
): Promise<void> {
  const clients = new Clients([url], answers);
  teardown.add(() => clients.close());
  await traffic.createCampaigns(url, LATE_CAMPAIGN_SECONDS, clients);
  traffic.startCampaigns();
}

async function hasCampaigns({ clients, accounts }: Environment): Promise<boolean> {
  const reply = await clients.call('list campaigns', exchangeOf('GET', '/api/campaigns', accounts.smtp.session));
  return reply?.status !== NOT_FOUND;
}

/** A migration that a release has run does not run again, so it must not change. */
function checkMigrations({ added, changed, isTagged }: Release): CheckResult {
  const changes = changed.map((file) => `${file} has changed since`);
  return {
    name: 'No migration of the previous release has changed',
    counted: [`${added.length} were added`, ...changes].join('; '),
    gaps: new Gaps(isTagged ? changes : []), // other commits may never have been released
  };
}

function printLongest({ answers }: Environment, migration: Span): void {
  let [longest, longestInMigration] = [0, 0];
  for (const { from, to } of answers.accepts()) {
    longest = Math.max(longest, to - from);
    if (from <= migration.to && to >= migration.from) longestInMigration = Math.max(longestInMigration, to - from);
  }
  print(`Accepting a send took at most ${longest} ms, ${longestInMigration} ms while the new API started`);
}
