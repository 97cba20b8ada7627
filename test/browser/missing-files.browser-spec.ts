import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { Route } from 'playwright-core';

import type { Visitor } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { interceptRequests } from '../support/intercept-requests.js';

const NOT_LOADED =
  /Failed to load resource|Failed to fetch dynamically imported module|error loading dynamically|Loading module from/;

/** Chromium 150 and Firefox do, Chromium 156 does not. */
async function keepsFailedImports(visitor: Visitor): Promise<boolean> {
  const { page } = visitor;
  await visitor.open('/login');
  let attempts = 0;
  await interceptRequests(page, '**/assets/late.js', (route) =>
    route.fulfill(attempts++ === 0 ? { status: 404 } : { contentType: 'text/javascript', body: '' }),
  );
  const load = () => page.evaluate<boolean>(`import('/assets/late.js').then(() => true, () => false)`);
  expect(await load()).toBe(false);
  return !(await load());
}

/** As after an update of the service, which has other files than the page that is open. */
describe('Files of the dashboard that are missing', () => {
  let fixture: DashboardFixture;
  let keepsFailures: boolean;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    keepsFailures = await keepsFailedImports(await fixture.arrive());
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

  /**
   * Another attempt when the files are there. Where the browser keeps failed imports, it reloads the page, and the
   * browser asks whether changes may be lost.
   */
  const retry = async ({ page }: Visitor, attempt: () => Promise<void>, { asked = false } = {}) => {
    if (!keepsFailures) return attempt();
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
    await retry(visitor, () => history.click(), { asked: true });
    if (keepsFailures) await history.click();
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
    await retry(visitor, () => tryAgain.first().click(), { asked: true });
    if (!keepsFailures) await tryAgain.click(); // the other part
    const [html, words] = keepsFailures ? ['<p>Hello</p>', 'Hello'] : ['<h1>Typed</h1>', 'Typed'];
    await page.locator('[contenteditable]').getByText(html).waitFor();
    await page.frameLocator('iframe').getByText(words).waitFor();
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
    await retry(visitor, () => button.click());
    if (keepsFailures) await button.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  });

  it('that come late open the user menu if its button was clicked meanwhile', async () => {
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    const held = await holdRequests(page, 'GET', /\/assets\/user-menu-/);
    await visitor.open('/lists');
    await held.started;
    await page.getByRole('button', { name: 'admin@example.com' }).click();
    held.release();
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
    await retry(visitor, () => page.getByRole('link', { name: 'Lists' }).click());
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
  });
});
