import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';

describe('The language of the dashboard', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('is that of the browser, until another one is chosen, which is kept', async () => {
    const visitor = await fixture.arrive({ locale: 'de-CH' });
    const { page } = visitor;
    const languageOf = () => page.evaluate<string>('document.documentElement.lang');
    await visitor.open('/login');
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await languageOf()).toBe('de');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await visitor.logIn({ email: 'admin@example.com', password: PASSWORD });
    expect(await languageOf()).toBe('en');

    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('user-menu');
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
    expect(await languageOf()).toBe('de');
    await visitor.open('/lists');
    await page.getByRole('heading', { name: 'Listen', level: 1 }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch', checked: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('is English for a browser that prefers another one', async () => {
    const visitor = await fixture.arrive({ locale: 'fr-FR' });
    await visitor.open('/login');
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
