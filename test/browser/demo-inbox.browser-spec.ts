import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { launchBrowser, NARROW, Visitor, WIDE } from '../support/browser.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';

const ADMIN = { email: 'admin@example.com', password: 'demo-password' };

describe('The inbox of the demo', () => {
  let checkout: string;
  let demo: ServiceProcess;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'demo-inbox-'));
    demo = ServiceProcess.spawn({}, { program: 'demo.js', cwd: checkout });
    await demo.waitFor('the demo to serve', () => demo.printed.includes('Ctrl-C stops everything'));
    url = /^ {2}(http:\S+) {3}the dashboard/m.exec(demo.printed)![1]!;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await demo.kill('SIGINT');
    await killServiceProcesses();
    await rm(checkout, { recursive: true });
  });

  it.each([WIDE, NARROW])('shows what was sent, on a screen of %o', async (viewport) => {
    const visitor = await Visitor.arrive(browser, url, { viewport });
    const { page } = visitor;
    await visitor.open('/inbox');
    await visitor.logIn(ADMIN);
    await page.getByRole('link', { name: 'It works' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture(`inbox-${viewport.width}`);
    await page.getByRole('link', { name: 'It works' }).click();
    await page.frameLocator('iframe').getByText('This mail went through the whole service').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture(`mail-${viewport.width}`);
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
  });
});
