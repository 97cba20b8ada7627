import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { openDataDirectory } from '../../packages/embedded-postgres/src/data-directory.js';
import { findPostmaster } from '../../packages/embedded-postgres/src/postmaster.js';
import { stopPostmaster } from '../../packages/embedded-postgres/src/stop-postmaster.js';
import { freePort } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

interface Aggregate {
  status: Record<string, number>;
  opens: { unique: number };
  clicks: { unique: number };
}

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
  for (const directory of [checkout, other])
    for (const name of ['demo', 'demo-empty']) await stopPostgres(postgresOf(directory, name));
  await rm(join(checkout, '../..'), { recursive: true });
});

const startDemo = (cwd: string, ...args: string[]) => ServiceProcess.spawn({}, { program: 'demo.js', cwd, args });
const postgresOf = (cwd: string, name = 'demo') => join(cwd, '.data', name, 'postgres');

async function stopPostgres(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const directory = await openDataDirectory(path);
  const left = existsSync(directory.cluster) ? await findPostmaster(directory.cluster) : null;
  if (left) await stopPostmaster(directory, left);
}

/** The addresses of the dashboard, the inbox and the API that a serving demo says to open. */
async function addressesOf(demo: ServiceProcess): Promise<string[]> {
  await demo.waitFor('the demo to serve', () => SERVES.test(demo.printed));
  return [...demo.printed.matchAll(/^ {2}(http:\S+)/gm)].map(([, url]) => url!);
}

const SENT = /^ {2}\S+Z {2}sent {2}\{.*\}\n(?: {2}\S+Z {2}delivered {2}\{.*\}\n)? {2}status: (?:sent|delivered)$/m;

describe('The demo', () => {
  it('delivers a mail, prints its timeline and exits with 0, on the first run and on the second', async () => {
    for (let run = 1; run <= 2; run++) {
      const demo = startDemo(checkout, '--empty', '--once');
      expect(await demo.waitForExit()).toEqual(SUCCEEDED);
      expect(demo.printed).toContain('The mail "It works" for ada@example.org arrived.');
      expect(demo.printed).toMatch(SENT);
      expect(existsSync(join(postgresOf(checkout, 'demo-empty'), 'cluster/postmaster.pid'))).toBe(false);
    }
  });

  it('serves until Ctrl-C and is refused a second time in the same folder', async () => {
    const demo = startDemo(checkout, '--empty');
    const [dashboard, inbox, docs] = await addressesOf(demo);
    expect(await (await fetch(dashboard!)).text()).toContain('<meta name="inbox"');
    expect(await (await fetch(inbox!)).text()).toContain('It works');
    expect((await fetch(docs!)).status).toBe(200);
    expect((await fetch(`${dashboard!}/api/demo/inbox`)).status).toBe(401);
    const second = startDemo(checkout, '--empty');
    expect(await second.waitForExit()).toEqual({ code: 1, signal: null });
    expect(second.printed).toBe(`A demo already runs in ${join(checkout, '.data/demo-empty')}. Stop it, or use it.\n`);
    expect(await demo.kill('SIGINT')).toEqual(SUCCEEDED);
  });

  it('serves on PORT unless that is taken, and names the other variables, which it ignores', async () => {
    const port = String(await freePort());
    const start = (cwd: string) =>
      ServiceProcess.spawn({ PORT: port, SMTP_PORT: '2525' }, { program: 'demo.js', cwd, args: ['--empty'] });
    const demo = start(checkout);
    expect((await addressesOf(demo))[0]).toBe(`http://localhost:${port}`);
    expect(demo.printed).toMatch(/^The demo ignores .*SMTP_PORT.*\. npm start reads them\.$/m);
    const second = start(other);
    expect(await second.waitForExit()).toEqual({ code: 1, signal: null });
    expect(second.printed).toContain(`PORT: ${port} is taken`);
    expect(await demo.kill('SIGTERM')).toEqual(SUCCEEDED);
  });

  describe('that is filled', () => {
    /** Reads as its user, whose session it opens. */
    async function readerOf(demo: ServiceProcess) {
      const [dashboard] = await addressesOf(demo);
      const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(demo.printed)!;
      const login = await fetch(`${dashboard!}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const { accessToken } = (await login.json()) as { accessToken: string };
      return async (path: string) => {
        const response = await fetch(dashboard! + path, { headers: { Authorization: `Bearer ${accessToken}` } });
        return (await response.json()) as Record<string, never> & { items: Record<string, unknown>[]; total: number };
      };
    }
    const namesOf = (items: Record<string, unknown>[], name: string) => new Set(items.map((item) => item[name]));

    it('shows a month of history, once', async () => {
      const demo = startDemo(checkout);
      const read = await readerOf(demo);
      const { status, opens, clicks } = (await read('/api/messages/aggregate')) as unknown as Aggregate;
      for (const count of [status.delivered, status.bounced, status.complained, status.failed])
        expect(count).toBeGreaterThan(0);
      expect(status.delivered).toBeGreaterThan(500);
      expect(opens.unique).toBeGreaterThan(clicks.unique);
      expect(clicks.unique).toBeGreaterThan(0);
      const monthAgo = new Date(Date.now() - 27 * 86_400_000).toISOString();
      expect((await read(`/api/messages?to=${monthAgo}&limit=1`)).items).toHaveLength(1);
      expect((await read('/api/messages?scheduled=true')).items).toHaveLength(1);
      const campaigns = (await read('/api/campaigns')).items;
      expect(namesOf(campaigns, 'status')).toEqual(new Set(['completed', 'running', 'scheduled', 'draft']));
      const contacts = await read('/api/contacts');
      expect(contacts.total).toBe(400);
      for (const { attributes } of contacts.items)
        expect(attributes).toEqual({ city: expect.any(String), signedUpAt: expect.any(String) });
      const { items: webhooks } = await read('/api/webhooks');
      expect(webhooks.filter(({ failingSince }) => failingSince !== null)).toHaveLength(1);
      expect((await read('/api/templates')).total).toBe(2);
      expect(await demo.kill('SIGTERM')).toEqual(SUCCEEDED);

      const again = startDemo(checkout);
      const readAgain = await readerOf(again);
      expect((await readAgain('/api/contacts')).total).toBe(contacts.total);
      expect((await readAgain('/api/campaigns')).total).toBe(campaigns.length);
      expect((await readAgain('/api/api-keys')).total).toBe(2);
      expect(await again.kill('SIGTERM')).toEqual(SUCCEEDED);
    });

    it('goes on: mail that is sent now is delivered, and the curl works as printed', async () => {
      const demo = startDemo(checkout);
      const read = await readerOf(demo);
      const [curl] = /curl [^]*?'(?=\n\n)/.exec(demo.printed)!;
      const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
      const { messageLogId } = JSON.parse(stdout) as { messageLogId: string };
      await waitFor('the delivery', async () => {
        const message: Record<string, unknown> = await read(`/api/messages/${messageLogId}`);
        return message.status === 'delivered';
      });
      expect(await demo.kill('SIGTERM')).toEqual(SUCCEEDED);
    });

    it('begins anew after it was killed while it was being filled', async () => {
      const demo = startDemo(checkout);
      const history = join(checkout, '.data/demo/history');
      const hasBegun = async () => existsSync(history) && (await readFile(history, 'utf8')) === 'begun';
      await demo.waitFor('the fill to begin', hasBegun);
      await demo.kill('SIGKILL');
      const again = startDemo(checkout);
      const read = await readerOf(again);
      expect((await read('/api/contacts')).total).toBe(400);
      expect(await again.kill('SIGTERM')).toEqual(SUCCEEDED);
    });

    it('is empty if asked, beside the one with a history', async () => {
      const demo = startDemo(checkout, '--empty');
      const read = await readerOf(demo);
      expect((await read('/api/contacts')).total).toBe(0);
      expect((await read('/api/messages')).items).toHaveLength(1);
      expect(await demo.kill('SIGTERM')).toEqual(SUCCEEDED);
      expect(existsSync(postgresOf(checkout))).toBe(false);
    });
  });

  it('runs in two folders at once, on ports of their own', async () => {
    const demos = [startDemo(checkout, '--empty'), startDemo(other, '--empty')];
    const addresses = (await Promise.all(demos.map(addressesOf))).flat();
    expect(new Set(addresses).size).toBe(6);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    expect(await Promise.all(demos.map((demo) => demo.kill('SIGTERM')))).toEqual([SUCCEEDED, SUCCEEDED]);
  });

  it('starts again after all its processes were killed', async () => {
    const demo = startDemo(checkout, '--empty');
    await addressesOf(demo);
    const pidFile = await readFile(join(postgresOf(checkout, 'demo-empty'), 'cluster/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    await demo.kill('SIGKILL');
    const again = startDemo(checkout, '--empty', '--once');
    expect(await again.waitForExit()).toEqual(SUCCEEDED);
    expect(again.printed).toMatch(SENT);
  });

  it('starts again if its PostgreSQL is still running', async () => {
    const demo = startDemo(checkout, '--empty');
    await addressesOf(demo);
    await demo.kill('SIGKILL');
    const again = startDemo(checkout, '--empty', '--once');
    expect(await again.waitForExit()).toEqual(SUCCEEDED);
    expect(again.printed).toMatch(SENT);
    await waitFor(
      'its PostgreSQL to be stopped',
      () => !existsSync(join(postgresOf(checkout, 'demo-empty'), 'cluster/postmaster.pid')),
    );
  });
});
