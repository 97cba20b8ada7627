import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';

describe('The settings', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const change = (body: object) => fixture.account.asAdmin('patch', '/api/settings').send(body).expect(200);
  const stored = async () => (await fixture.account.asAdmin('get', '/api/settings').expect(200)).body;
  const open = async () => {
    const { page } = await fixture.visit('admin', '/settings');
    const save = (section: string) => page.getByRole('button', { name: `Save: ${section}` });
    const formOf = (section: string) => page.locator('form').filter({ has: save(section) });
    return { page, save, formOf, saved: page.getByText('The settings have been saved.') };
  };

  it('are tested as they are saved, and a result disappears when they change', async () => {
    const { page, save, saved } = await open();
    const result = page.getByText('The provider accepts the saved settings.');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await result.waitFor();
    await page.getByLabel('Daily limit').fill('700');
    await save('Account').click();
    await saved.waitFor();
    expect(await result.count()).toBe(0);
  });

  it('say that the secrets of a relay are not kept for another one, and ask for its password', async () => {
    const key = 'of the webhooks of Mailgun';
    const relay = { host: 'smtp.example.com', port: 587, username: 'mailer', password: 'first' };
    await change({ smtp: { ...relay, vendor: 'mailgun', eventSigningKey: key } });
    const { page, save, formOf, saved } = await open();
    const form = formOf('SMTP relay');
    const host = form.getByLabel('Host');
    const password = form.getByLabel('Password', { exact: true }).and(page.locator('input'));
    const isLost = form.getByText('The saved password is for the previous host and will be deleted.');
    await host.fill('SMTP.example.com');
    expect(await isLost.count()).toBe(0);
    await host.fill(' smtp.example.org ');
    await isLost.waitFor();
    expect(await password.getAttribute('placeholder')).toBe('Not set');
    await save('SMTP relay').click();
    expect(await password.evaluate('document.activeElement.validity.valueMissing')).toBe(true);
    expect((await stored()).smtp).toMatchObject({ host: 'smtp.example.com', passwordSet: true });

    await password.fill('second');
    expect(await isLost.count()).toBe(0);
    await form.getByRole('combobox', { name: 'Vendor' }).click();
    await page.getByRole('option', { name: 'Postmark' }).click();
    await form.getByText('The saved key is for the previous vendor and will be deleted.').waitFor();
    await save('SMTP relay').click();
    await saved.waitFor();
    expect((await stored()).smtp).toMatchObject({
      ...{ host: 'smtp.example.org', username: 'mailer', passwordSet: true },
      ...{ vendor: 'postmark', eventSigningKeySet: false },
    });
    await form
      .getByText(/will be deleted/)
      .first()
      .waitFor({ state: 'detached' });
  });

  it('of Amazon SES can be removed, unless email is sent through it', async () => {
    await change({
      ses: { region: 'eu-west-1', accessKeyId: 'AKIA1', secretAccessKey: 'first' },
      emailProvider: 'ses',
    });
    const { page, save, saved } = await open();
    const remove = page.getByRole('button', { name: 'Remove Amazon SES' });
    await save('Amazon SES').waitFor();
    expect(await remove.count()).toBe(0);
    await change({ emailProvider: 'smtp' });
    await page.reload();
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Amazon SES' }).click();
    await saved.waitFor();
    expect((await stored()).ses).toBeNull();
    await remove.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Access key ID').inputValue()).toBe('');
  });

  it('say how many contacts are left out of campaigns before consent is required for them', async () => {
    for (const email of ['agreed@example.org', 'not@example.org'])
      await fixture.account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    const consent = { email: 'agreed@example.org', action: 'granted' };
    await fixture.account.asAdmin('post', '/api/consents').send(consent).expect(201);
    const { page, save, formOf, saved } = await open();
    await formOf('Consent').getByText('1 active contact has agreed to marketing. 1 has not').waitFor();
    await formOf('Consent').getByRole('combobox', { name: 'Consent required' }).click();
    await page.getByRole('option', { name: 'For campaigns' }).click();
    expect((await stored()).consent).toEqual({ requiredFor: 'none' });
    await save('Consent').click();
    await saved.waitFor();
    expect((await stored()).consent).toEqual({ requiredFor: 'campaigns' });
  });
});
