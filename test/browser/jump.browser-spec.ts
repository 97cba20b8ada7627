import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { insertMessages } from '../support/message-rows.js';

describe('Jumping by keyboard', () => {
  let fixture: DashboardFixture;
  let messageId: string;
  let contactId: string;
  let suppressionId: string;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const { account, service } = fixture;
    [messageId] = (await insertMessages(service, account.id, [
      { recipient: 'ada@example.org', subject: 'Your order' },
      { recipient: 'grace@example.org', subject: 'Welcome' },
    ])) as [string];
    contactId = (await account.asAdmin('post', '/api/contacts').send({ email: 'ada@example.org' }).expect(201)).body.id;
    const { body } = await account
      .asAdmin('post', '/api/suppressions')
      .send({ email: 'ada.old@example.org' })
      .expect(201);
    suppressionId = body.id;
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    // An id is looked up as that of each kind; the browser logs those that do not exist.
    expect((await fixture.faults()).filter((fault) => !/status of 404.*\/c[a-z0-9]{24}$/.test(fault))).toEqual([]);
  });

  const openPalette = async (page: Page) => {
    // The one before has been closed.
    await page.getByPlaceholder('Page, address or ID').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.locator('input:focus[placeholder="Page, address or ID"]').waitFor();
  };
  const arriveAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);

  it('finds pages, messages, contacts and suppressions', async () => {
    const visitor = await fixture.visit('admin', '/settings');
    const { page } = visitor;
    await visitor.settle();
    await openPalette(page);
    await page.keyboard.type('dom');
    await page.getByRole('button', { name: 'Domains and senders' }).waitFor();
    await page.keyboard.press('Enter');
    await arriveAt(page, '/domains');

    await openPalette(page);
    await page.keyboard.type('ada');
    await page.getByRole('button', { name: 'ada@example.org Your order · Sent' }).waitFor();
    await page.getByRole('button', { name: 'ada.old@example.org Manual' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('palette');
    await page.getByRole('button', { name: 'ada@example.org Active' }).click();
    await arriveAt(page, `/contacts/${contactId}`);

    await openPalette(page);
    await page.keyboard.type('ada.old');
    await page.getByRole('button', { name: /^ada.old/ }).click();
    await arriveAt(page, '/suppressions?search=ada.old%40example.org');

    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByPlaceholder('Page, address or ID').fill(messageId);
    await page.getByRole('button', { name: 'ada@example.org Your order · Sent' }).waitFor();
    await page.keyboard.press('Enter');
    await arriveAt(page, `/messages/${messageId}`);

    await openPalette(page);
    await page.keyboard.type(suppressionId);
    await page.getByRole('button', { name: 'ada.old@example.org Manual' }).click();
    await arriveAt(page, '/suppressions?search=ada.old%40example.org');

    await openPalette(page);
    await page.keyboard.type('nobody has this');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByPlaceholder('Page, address or ID').waitFor({ state: 'detached' });
  });

  it('ignores keys that are typed while it is being loaded', async () => {
    const { page } = await fixture.visit('admin', '/overview');
    const loading = await holdRequests(page, 'GET', '**/assets/command-palette-*.js');
    await page.keyboard.press('Control+k');
    await loading.started;
    await page.keyboard.type('gm'); // opens the messages while no dialog is open
    loading.release();
    await page.getByPlaceholder('Page, address or ID').waitFor();
    expect(new URL(page.url()).pathname).toBe('/overview');
  });

  it('says that a search failed, and searches again', async () => {
    const { page, faults } = await fixture.visit('admin', '/overview');
    await interceptRequests(page, '**/api/suppressions?*', (route) =>
      route.fulfill({ status: 403, json: { message: 'Answer 403', error: 'Forbidden', statusCode: 403 } }),
    );
    await openPalette(page);
    await page.keyboard.type('grace');
    await page.getByText('Answer 403').waitFor();
    expect(await page.getByText('Nothing found.').count()).toBe(0);
    await page.unroute('**/api/suppressions?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'grace@example.org Welcome · Sent' }).waitFor();
    faults.length = 0; // the browser logs the 403
  });

  it('gives way to the question for the password when the session expires', async () => {
    const { page, faults } = await fixture.visit('admin', '/overview');
    await openPalette(page);
    await interceptRequests(page, '**/api/contacts?*', (route) =>
      route.fulfill({ status: 401, json: { message: 'Session expired', error: 'Unauthorized', statusCode: 401 } }),
    );
    await page.keyboard.type('grace');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.locator('input[type=password]:focus').waitFor();
    await page.getByPlaceholder('Page, address or ID').waitFor({ state: 'detached' });
    await page.unroute('**/api/contacts?*');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await openPalette(page);
    await page.keyboard.type('grace');
    await page.getByRole('button', { name: 'grace@example.org Welcome · Sent' }).waitFor();
    faults.length = 0; // the browser logs the 401
  });

  it('closes what it opened when another page opens', async () => {
    const { page } = await fixture.visit('admin', '/overview');
    const goBack = async () => {
      await page.evaluate('history.back()');
      await arriveAt(page, '/overview');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const goOn = async () => {
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByRole('row', { name: /grace@example.org/ }).waitFor();
    };
    await goOn();
    await openPalette(page);
    await goBack();
    await goOn();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await goBack();
    await goOn();
    await page.getByRole('button', { name: 'admin@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByRole('dialog', { name: 'Change your password' }).waitFor();
    await goBack();
  });

  it('opens pages and rows with single keys, which can be turned off', async () => {
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    await visitor.settle();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await arriveAt(page, '/messages');
    await page.getByRole('row', { name: /grace@example.org/ }).waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('ada?');
    await arriveAt(page, '/messages?search=ada%3F');
    await page.getByText('No matching messages').waitFor();
    await page.getByRole('searchbox').fill('');
    await arriveAt(page, '/messages');
    await page.getByRole('row', { name: /ada@example.org/ }).waitFor();
    await page.getByRole('searchbox').blur();
    const rows = await page.locator('.row-link').allInnerTexts();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect((await page.locator(':focus').innerText()).trim()).toBe(rows[1]!.trim());
    await page.keyboard.press('k');
    expect((await page.locator(':focus').innerText()).trim()).toBe(rows[0]!.trim());
    await page.keyboard.press('Enter');
    await page.waitForURL('**/messages/c*');

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Search and jump', { exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('shortcuts');
    await help.getByRole('switch').click({ force: true });
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.keyboard.press('?');
    await openPalette(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/messages\/c/);
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });
});
