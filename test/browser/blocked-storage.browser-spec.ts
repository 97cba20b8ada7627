import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';

/** As where the browser blocks all site data: every access throws. */
const BLOCKED = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`;

/** As on a full disk: what is stored can be read, but nothing can be added. */
const FULL = `Storage.prototype.setItem = () => { throw new DOMException('Full', 'QuotaExceededError'); };`;

describe.each([
  ['blocks its storage', BLOCKED],
  ['has no storage left', FULL],
])('In a browser that %s', (_, script) => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('the dashboard works, and says that the language cannot be changed', async () => {
    const visitor = await fixture.arrive();
    const { page } = visitor;
    const notKept = page.getByText('The language could not be changed');
    await page.addInitScript(script);
    await visitor.open('/login');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await notKept.waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
    await notKept.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Language' }).inputValue()).toBe('en');

    await visitor.logIn({ email: 'admin@example.com', password: PASSWORD });
    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await notKept.waitFor();
    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });

    await page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'From' }).check();
    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
