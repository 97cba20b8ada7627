import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import type { Visitor } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';

jest.setTimeout(60_000);

const NOT_LOADED = /Failed to load resource|Failed to fetch dynamically imported module|error loading dynamically/;

/** As after an update of the service, which has other files than the page that is open. */
describe('Files of the dashboard that are missing', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect((await fixture.faults()).filter((fault) => !NOT_LOADED.test(fault))).toEqual([]);
  });

  /** Returns a function that brings the files back. */
  const remove = async ({ page }: Visitor, files: RegExp) => {
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    return () => page.unroute(files);
  };

  it.each(['light', 'dark'] as const)('are reported in both languages at the start, %s', async (colorScheme) => {
    const visitor = await fixture.arrive({ colorScheme });
    const { page } = visitor;
    const restore = await remove(visitor, /\/assets\/common-/);
    await visitor.open('/login');
    await page.getByRole('heading', { name: 'The dashboard could not be loaded' }).waitFor();
    await page.getByRole('heading', { name: 'Das Dashboard konnte nicht geladen werden' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);
    await visitor.picture(`missing-texts-${colorScheme}`);

    await restore();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it.each([
    ['texts', /\/assets\/lists-(?!page)/],
    ['code', /\/assets\/lists-page-/],
  ])('replace only the page whose %s they are', async (_, files) => {
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    const restore = await remove(visitor, files);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('heading', { name: 'This page could not be displayed' }).waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Lists' }).click();
    await restore();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
  });
});
