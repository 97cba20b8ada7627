import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { INSECURE_HOST } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';

describe('A form', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());

  it('that is submitted twice at once makes one thing', async () => {
    const { page } = await fixture.visit('admin', '/webhooks');
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/webhooks')) posts++;
    });
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://crm.example.com/hooks');
    await dialog.getByRole('button', { name: 'Add endpoint' }).dblclick();
    await page.getByRole('heading', { name: 'https://crm.example.com/hooks' }).waitFor();
    expect(posts).toBe(1);
    expect((await fixture.account.asAdmin('get', '/api/webhooks').expect(200)).body.total).toBe(1);
    expect(await fixture.faults()).toEqual([]);
  });

  it('that was refused and left begins anew', async () => {
    const { page } = await fixture.visit('admin', '/suppressions');
    const open = page.getByRole('button', { name: 'Suppress address' });
    await open.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('nobody');
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await dialog.getByText('email must be an email address').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('E-mail address').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await fixture.faults(); // the browser tells of the 400
  });

  it('that shows a secret copies it over http, too, and stays until it is left', async () => {
    const { page } = await fixture.visit('admin', '/api-keys', { host: INSECURE_HOST });
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await dialog.getByText(/^sk_/).first().innerText();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('tooltip', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByRole('searchbox').inputValue()).toBe(secret);
    await fixture.faults(); // the browser tells of headers that it heeds over https only
  });
});
