import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

describe('A template', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('shows a live preview, warns about unsaved changes, and can be sent as a test', async () => {
    const visitor = await fixture.visit('admin', '/templates/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Welcome');
    await page.getByLabel('Subject').fill('Welcome, {{firstName}}');
    const html = page.getByLabel('HTML', { exact: true }).and(page.locator('[contenteditable]'));
    await html.fill('<h1>Dear {{firstName</h1>');
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.getByRole('alert').filter({ hasText: /^html/ }).waitFor();
    expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    expect(await visitor.violations()).toEqual([]);
    await html.fill('<img src="cid:logo"><h1>Dear {{firstName}}</h1>');
    await page.locator('.cm-lint-marker-error').waitFor({ state: 'detached' });
    await page.getByText(/^There is no plain text of its own/).waitFor();
    await page.getByText(/^There is no unsubscribe link/).waitFor();
    await page.getByText(/^One image has no alternative text/).waitFor();
    await html.press('Control+End');
    await html.pressSequentially('{{unsub');
    await page.getByRole('option', { name: 'unsubscribeUrl' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^There is no unsubscribe link/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add 1 missing' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).fill('{"firstName": "Ada & Co"}');
    await page.getByText('Welcome, Ada & Co').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Ada & Co' }).waitFor();

    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor();
    await page.waitForURL(/\/templates\/c[a-z0-9]{24}$/);

    await page.reload();
    const variables = page.getByRole('textbox', { name: 'Variables' });
    await waitFor('the saved values', async () => (await variables.inputValue()).includes('Ada & Co'));
    await variables.fill('{"firstName": "Ada"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^To/).fill('ada@example.org');
    await dialog.locator('input').nth(1).fill(SENDER);
    await page.getByRole('option', { name: SENDER }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The test has been queued.').waitFor();
    const [mail] = await waitFor('the mail', () => fixture.relay.received().length > 0 && fixture.relay.received());
    expect(mail!.parsed.subject).toBe('Welcome, Ada');
    await page.getByRole('button', { name: 'Send a test' }).click();
    expect(await dialog.getByLabel(/^To/).inputValue()).toBe('ada@example.org');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'View message' }).click();
    await page.getByText('Sent from the dashboard').waitFor();
  });
});
