import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { chromium, type BrowserContext } from 'playwright-core';

import { CHROMIUM, Visitor } from '../support/browser.js';
import { fillAccount } from '../support/dashboard-content.js';
import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { PAGES } from '../support/dashboard-pages.js';
import { freePort } from '../support/redis.js';

jest.setTimeout(60 * 60_000);

const run = promisify(execFile);

/** Fetched by npx when it is needed: its packages would double what every `npm ci` installs for tests. */
const LIGHTHOUSE = ['--yes', 'lighthouse@13.5.0'];

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string }>;
}

/** `npm run lighthouse` runs it; LIGHTHOUSE_PAGES selects pages by a regular expression. */
describe('Lighthouse', () => {
  let fixture: DashboardFixture;
  let profile: string;
  let context: BrowserContext;
  let port: number;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    profile = await mkdtemp(join(tmpdir(), 'lighthouse-'));
    port = await freePort();
    const { args, ...options } = CHROMIUM;
    context = await chromium.launchPersistentContext(profile, {
      ...options,
      args: [...args, `--remote-debugging-port=${port}`],
      colorScheme: 'light',
      viewport: null,
    });
  });
  afterAll(async () => {
    await context.close();
    await fixture.stop();
    await rm(profile, { recursive: true });
  });

  /** The scores of a page, and the audits that it fails. */
  const audit = async (path: string) => {
    const { stdout } = await run(
      'npx',
      [
        ...LIGHTHOUSE,
        `${fixture.service.url}${path}`,
        `--port=${port}`,
        '--preset=desktop',
        '--only-categories=accessibility,best-practices',
        '--disable-storage-reset',
        '--output=json',
        '--quiet',
      ],
      { maxBuffer: 64_000_000 },
    );
    const { categories, audits } = JSON.parse(stdout) as Report;
    const scores = Object.values(categories).map(({ score }) => Math.round((score ?? 0) * 100));
    const failed = Object.values(categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id),
    );
    return { scores, failed };
  };

  it('gives every page 100 for accessibility and best practices', async () => {
    const content = await fillAccount(fixture);
    const selected = new RegExp(process.env.LIGHTHOUSE_PAGES ?? '');
    const results: Record<string, unknown> = {};
    const record = async (page: string, path: string) => {
      if (!selected.test(page)) return;
      results[page] = await audit(path);
      console.log(page, JSON.stringify(results[page]));
    };
    await record('login', '/login');
    const visitor = await Visitor.in(context, fixture.service.url);
    await visitor.open('/login');
    await visitor.logIn({ email: 'admin@example.com', password: PASSWORD });
    // Lighthouse opens tabs of its own, and the session is that of a tab.
    const session = await visitor.page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    await context.addInitScript(`Object.assign(sessionStorage, ${session})`);
    for (const [page, path] of Object.entries(PAGES)) await record(page, path(content));
    const perfect = Object.keys(results).map((page) => [page, { scores: [100, 100], failed: [] }]);
    expect(results).toEqual(Object.fromEntries(perfect));
  });
});
