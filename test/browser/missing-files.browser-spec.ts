import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { Route } from 'playwright-core';

import type { Visitor } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { interceptRequests } from '../support/intercept-requests.js';

const NOT_LOADED =
  /Failed to load resource|Failed to fetch dynamically imported module|error loading dynamically|Loading module from/;

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
    const refuse = (route: Route) => route.fulfill({ status: 404 });
    await (page.url() === 'about:blank' ? page.route(files, refuse) : interceptRequests(page, files, refuse));
    return () => page.unroute(files);
  };

  /** Browsers keep the failure, so the next attempt reloads the page, and they ask whether changes may be lost. */
  const reloads = async ({ page }: Visitor, attempt: () => Promise<void>, { asked = false } = {}) => {
    const question = asked ? page.waitForEvent('dialog') : undefined;
    const loaded = page.waitForEvent('load');
    await attempt();
    if (question) {
      expect((await question).type()).toBe('beforeunload');
      await (await question).accept();
    }
    await loaded;
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

  it('leave the page as it is if they are those of a dialog', async () => {
    const template = { name: 'Welcome', subject: 'Welcome', text: 'Hello' };
    const { body } = await fixture.account.asAdmin('post', '/api/templates').send(template).expect(201);
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    const failure = page.getByText('This part of the page could not be loaded');
    const restore = await remove(visitor, /\/assets\/(template-history|command-palette)-/);
    await visitor.open(`/templates/${body.id}`);
    await page.getByLabel('Name').fill('Not saved');
    for (const open of [
      () => page.getByRole('button', { name: 'History' }).click(),
      () => page.keyboard.press('Control+k'),
    ]) {
      await open();
      await failure.first().waitFor();
      await page.getByRole('alert').getByRole('button').first().click();
      await failure.waitFor({ state: 'detached' });
    }
    expect(await page.getByLabel('Name').inputValue()).toBe('Not saved');
    await restore();
    const history = page.getByRole('button', { name: 'History' });
    await reloads(visitor, () => history.click(), { asked: true });
    await history.click();
    await page.getByRole('dialog').waitFor();
  });

  it('leave the page and what is typed in it if they are those of its parts, until they are loaded with the page', async () => {
    const template = { name: 'Greeting', subject: 'Welcome', html: '<p>Hello</p>' };
    const { body } = await fixture.account.asAdmin('post', '/api/templates').send(template).expect(201);
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    const failures = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded' });
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    const restore = await remove(visitor, /\/assets\/(html-editor|mail-preview)-/);
    await visitor.open(`/templates/${body.id}`);
    await failures.nth(1).waitFor();
    await page.getByLabel('Name').fill('Not saved');
    await page.getByRole('textbox', { name: 'HTML' }).fill('<h1>Typed</h1>');
    expect(await visitor.violations()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);
    await visitor.picture('missing-parts');

    await tryAgain.first().click();
    await failures.nth(1).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Not saved');
    await restore();
    await reloads(visitor, () => tryAgain.first().click(), { asked: true });
    await page.locator('[contenteditable]').getByText('<p>Hello</p>').waitFor();
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    expect(await failures.count()).toBe(0);
  });

  it('leave the button of the user menu, which tries again', async () => {
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    const restore = await remove(visitor, /\/assets\/user-menu-/);
    await visitor.open('/lists');
    await visitor.settle();
    const button = page.getByRole('button', { name: 'admin@example.com' });
    await button.click();
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await restore();
    await reloads(visitor, () => button.click());
    await page.locator('[aria-haspopup=menu]').and(button).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
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

    await restore();
    await reloads(visitor, () => page.getByRole('link', { name: 'Lists' }).click());
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
  });
});
