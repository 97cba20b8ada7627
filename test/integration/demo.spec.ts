import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { openDataDirectory } from '../../src/platform/embedded-postgres/data-directory.js';
import { findPostmaster } from '../../src/platform/embedded-postgres/postmaster.js';
import { stopPostmaster } from '../../src/platform/embedded-postgres/stop-postmaster.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

jest.setTimeout(120_000);

const STARTS_WITHIN_MS = 60_000;
const SERVES = /Ctrl-C stops everything/;
const SUCCEEDED = { code: 0, signal: null };

let checkout: string;
let other: string;

/** Longer than the name of a socket may be, with a space in it. */
beforeEach(async () => {
  const parent = join(await mkdtemp(join(tmpdir(), 'demo-spec-')), 'a long name '.repeat(10));
  [checkout, other] = [join(parent, 'one'), join(parent, 'two')];
  await Promise.all([checkout, other].map((directory) => mkdir(directory, { recursive: true })));
});

afterEach(async () => {
  await killServiceProcesses();
  for (const directory of [checkout, other]) await stopPostgres(directory);
  await rm(join(checkout, '../..'), { recursive: true });
});

const startDemo = (cwd: string, ...args: string[]) => ServiceProcess.spawn({}, { program: 'demo.js', cwd, args });
const postgresOf = (cwd: string) => join(cwd, '.data/demo/postgres');

async function stopPostgres(cwd: string): Promise<void> {
  if (!existsSync(postgresOf(cwd))) return;
  const directory = await openDataDirectory(postgresOf(cwd));
  const left = existsSync(directory.cluster) ? await findPostmaster(directory.cluster) : null;
  if (left) await stopPostmaster(directory, left);
}

/** The addresses of the dashboard, the inbox and the API that a serving demo says to open. */
async function addressesOf(demo: ServiceProcess): Promise<string[]> {
  await demo.waitFor('the demo to serve', () => SERVES.test(demo.printed), STARTS_WITHIN_MS);
  return [...demo.printed.matchAll(/^ {2}(http:\S+)/gm)].map(([, url]) => url!);
}

const SENT = /^ {2}\S+Z {2}sent {2}\{.*\}\n {2}status: sent$/m;

describe('The demo', () => {
  it('delivers a mail, prints its timeline and exits with 0, on the first run and on the second', async () => {
    for (let run = 1; run <= 2; run++) {
      const demo = startDemo(checkout, '--once');
      expect(await demo.waitForExit(STARTS_WITHIN_MS)).toEqual(SUCCEEDED);
      expect(demo.printed).toContain('The mail "It works" for ada@example.org arrived.');
      expect(demo.printed).toMatch(SENT);
      expect(existsSync(join(postgresOf(checkout), 'cluster/postmaster.pid'))).toBe(false);
    }
  });

  it('serves until Ctrl-C and is refused a second time in the same folder', async () => {
    const demo = startDemo(checkout);
    const [dashboard, inbox, docs] = await addressesOf(demo);
    expect(await (await fetch(dashboard!)).text()).toContain('<meta name="inbox"');
    expect(await (await fetch(inbox!)).text()).toContain('It works');
    expect((await fetch(docs!)).status).toBe(200);
    expect((await fetch(`${dashboard!}/api/demo/inbox`)).status).toBe(401);
    const second = startDemo(checkout);
    expect(await second.waitForExit()).toEqual({ code: 1, signal: null });
    expect(second.printed).toBe(`A demo already runs in ${join(checkout, '.data/demo')}. Stop it, or use it.\n`);
    expect(await demo.kill('SIGINT')).toEqual(SUCCEEDED);
  });

  it('runs in two folders at once, on ports of their own', async () => {
    const demos = [startDemo(checkout), startDemo(other)];
    const addresses = (await Promise.all(demos.map(addressesOf))).flat();
    expect(new Set(addresses).size).toBe(6);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    expect(await Promise.all(demos.map((demo) => demo.kill('SIGTERM')))).toEqual([SUCCEEDED, SUCCEEDED]);
  });

  it('starts again after all its processes were killed', async () => {
    const demo = startDemo(checkout);
    await addressesOf(demo);
    const pidFile = await readFile(join(postgresOf(checkout), 'cluster/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    await demo.kill('SIGKILL');
    const again = startDemo(checkout, '--once');
    expect(await again.waitForExit(STARTS_WITHIN_MS)).toEqual(SUCCEEDED);
    expect(again.printed).toMatch(SENT);
  });

  it('starts again if its PostgreSQL is still running', async () => {
    const demo = startDemo(checkout);
    await addressesOf(demo);
    await demo.kill('SIGKILL');
    const again = startDemo(checkout, '--once');
    expect(await again.waitForExit(STARTS_WITHIN_MS)).toEqual(SUCCEEDED);
    expect(again.printed).toMatch(SENT);
    await waitFor(
      'its PostgreSQL to be stopped',
      () => !existsSync(join(postgresOf(checkout), 'cluster/postmaster.pid')),
    );
  });
});
