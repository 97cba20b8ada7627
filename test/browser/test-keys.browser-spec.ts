import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { sendEmail } from '../support/send-email.js';

describe('Test keys', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are created and marked, and their messages are shown on request', async () => {
    const visitor = await fixture.visit('admin', '/api-keys');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CI');
    await dialog.getByLabel('Test key').check();
    expect(await visitor.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await dialog
      .getByText(/^sk_test_/)
      .first()
      .innerText();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('row', { name: /CI Test/i }).waitFor();

    await sendEmail(fixture.service, secret, { to: 'ada@example.org', text: 'Hello' });
    await page.goto(`${fixture.service.url}/messages`);
    await page.getByText('No messages yet').waitFor();
    await page.getByLabel('Test messages').click(); // checked once the address has changed
    const row = page.getByRole('row', { name: /ada@example\.org Test/i });
    await row.waitFor();
    expect(await visitor.violations()).toEqual([]);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    await page.getByText('Test', { exact: true }).waitFor();

    await sendEmail(fixture.service, (await fixture.account.createKey()).secret, { to: 'lin@example.org', text: 'Hi' });
    await page.goto(`${fixture.service.url}/overview`);
    const queue = page.getByRole('link', { name: /^\d+ messages?$/ });
    await queue.waitFor();
    expect(await queue.getAttribute('href')).toBe('/messages?status=queued,sending');
    await page.getByLabel('Test messages').click();
    await page.waitForURL('**/overview?test=true');
    await page.locator('a[href="/messages?status=queued,sending&test=true"]').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });
});
