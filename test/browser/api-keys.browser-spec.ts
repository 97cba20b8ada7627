import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { interceptRequests } from '../support/intercept-requests.js';

describe('API keys', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());

  it('show what tells them apart on a tablet', async () => {
    await fixture.account
      .asAdmin('post', '/api/api-keys')
      .send({ name: 'Shop', scopes: ['send'] })
      .expect(201);
    const { page } = await fixture.visit('admin', '/api-keys', { viewport: { width: 820, height: 1180 } });
    for (const name of ['Name', 'Status', 'Key', 'Last used'])
      await page.getByRole('columnheader', { name, exact: true }).waitFor();
  });

  it('can be changed field by field', async () => {
    const expiresAt = '2099-01-01T10:00:30.000Z';
    const { body: key } = await fixture.account
      .asAdmin('post', '/api/api-keys')
      .send({ name: 'CRM', scopes: ['send'], expiresAt, dailyLimit: 10 })
      .expect(201);
    const stored = async () => (await fixture.account.asAdmin('get', `/api/api-keys/${key.id}`).expect(200)).body;
    const visitor = await fixture.visit('admin', '/api-keys');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await page.getByRole('button', { name: 'Edit CRM' }).click();
    await dialog.getByLabel('Daily limit').fill('1000');
    await save.click();
    await dialog.getByText(/^dailyLimit must be lower than/).waitFor();
    await dialog.getByLabel('Name').fill('Sales');
    await dialog.getByLabel('Daily limit').fill('20');
    await dialog.getByLabel('Allowed IP addresses').and(page.locator('input')).fill('192.0.2.7');
    await page.keyboard.press('Enter');
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('api-key-change-1280');
    await save.click();
    await page.getByText('“Sales” has been updated.').waitFor();
    const changed = { name: 'Sales', scopes: ['send'], dailyLimit: 20, ipAllowlist: ['192.0.2.7'] };
    expect(await stored()).toMatchObject({ ...changed, expiresAt });

    await page.getByRole('button', { name: 'Edit Sales' }).click();
    await dialog.getByLabel('Expires').fill('');
    await dialog.getByLabel('Daily limit').fill('');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ ...changed, expiresAt: null, dailyLimit: null });
    await fixture.faults(); // the browser logs the 400
  });

  it('show no use that could not be loaded', async () => {
    await fixture.account
      .asAdmin('post', '/api/api-keys')
      .send({ name: 'Unknown', scopes: ['send'] })
      .expect(201);
    const visitor = await fixture.visit('admin', '/lists');
    const { page } = visitor;
    await interceptRequests(page, '**/api/usage', (route) => route.fulfill({ status: 500 }));
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /^Unknown Active sk_\S+ send – / }).waitFor();
    await fixture.faults(); // the browser logs the 500
  });

  it('are filtered by status, also after a reload', async () => {
    const create = async (name: string) =>
      (
        await fixture.account
          .asAdmin('post', '/api/api-keys')
          .send({ name, scopes: ['send'] })
          .expect(201)
      ).body;
    await create('In use');
    const { id } = await create('No longer used');
    await fixture.account.asAdmin('delete', `/api/api-keys/${id}`).expect(200);
    const { page } = await fixture.visit('admin', '/api-keys');
    const used = page.getByRole('row', { name: /^In use/ });
    const revoked = page.getByRole('row', { name: /^No longer used/ });
    const choose = async (status: string) => {
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: status }).click();
    };
    await revoked.waitFor();
    await choose('Active');
    await revoked.waitFor({ state: 'detached' });
    await used.waitFor();
    await choose('Revoked');
    await revoked.waitFor();
    await page.reload();
    await revoked.waitFor();
    expect(await used.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit No longer used' }).count()).toBe(0);
    await choose('Expired');
    await page.getByText('No matching keys').waitFor();
    expect(await fixture.faults()).toEqual([]);
  });
});
