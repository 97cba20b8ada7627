import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { insertMessages } from '../support/message-rows.js';

const TITLE = 'Email cannot be sent: no provider is configured';

describe('Without a provider', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ SMTP_URL: '' });
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('the overview links to the settings, %s', async (colorScheme) => {
    const visitor = await fixture.visit('member', '/overview', { colorScheme });
    const { page } = visitor;
    await page.getByText(TITLE).waitFor();
    await visitor.settle();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('alert').getByRole('link', { name: 'settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByText(TITLE).waitFor();
    expect(await page.getByRole('alert').getByRole('link').count()).toBe(0);
    await visitor.settle();
    expect(await visitor.violations()).toEqual([]);
  });

  it('the overview praises no rate that nobody reports', async () => {
    await insertMessages(fixture.service, fixture.account.id, [{ status: 'sent' }]);
    const { page } = await fixture.visit('member', '/overview');
    const rates = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Rates and limits' }) });
    await rates.waitFor();
    expect(await rates.getByText('Not reported').count()).toBe(2);
    expect(await rates.getByText('Good').count()).toBe(0);
    expect(await page.locator('.tile').getByText('Not reported').count()).toBe(5);
  });

  it('shows a warning until a relay is saved', async () => {
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByText(TITLE).waitFor();
    await page.getByLabel('Host', { exact: true }).fill('smtp.example.com');
    await page.getByRole('switch', { name: /^Send the password unencrypted/ }).click({ force: true });
    const relay = page.locator('form').filter({ has: page.getByLabel('Host', { exact: true }) });
    await relay.getByRole('button', { name: 'Save' }).click();
    await page.getByText(TITLE).waitFor({ state: 'detached' });
    const { body } = await fixture.account.asAdmin('get', '/api/settings').expect(200);
    expect(body).toMatchObject({ smtp: { host: 'smtp.example.com', allowPlaintext: true }, canSend: { email: true } });
  });
});
