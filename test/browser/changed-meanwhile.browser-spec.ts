import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { waitFor } from '../support/wait-for.js';

describe('What somebody else has changed meanwhile', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const post = async (path: string, body: object): Promise<string> =>
    (await fixture.account.asAdmin('post', path).send(body).expect(201)).body.id;

  const change = (path: string, body: object) => fixture.account.asAdmin('patch', path).send(body).expect(200);

  const stored = async (path: string) => (await fixture.account.asAdmin('get', path).expect(200)).body;

  it('is shown by a form whose page is opened again, beside what is typed', async () => {
    const { page } = await fixture.visit('admin', '/overview');
    await page.clock.install();
    const name = page.getByLabel('Name', { exact: true });
    const limit = page.getByLabel('Daily limit');
    const open = (section: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: section }).click();
    await open('Settings');
    await name.waitFor();
    await open('Overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await change('/api/settings', { accountName: 'Engines & Co' });
    const settings = await holdRequests(page, 'GET', '**/api/settings');
    await page.clock.fastForward('00:10'); // until when what was loaded counts as fresh
    await open('Settings');
    await settings.started;
    await limit.fill('900');
    settings.release();
    await waitFor('the name', async () => (await name.inputValue()) === 'Engines & Co');
    expect(await limit.inputValue()).toBe('900');
  });

  it('is kept when other settings are saved', async () => {
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByLabel('Name', { exact: true }).fill('Engines');
    await change('/api/settings', { dailySendCap: 700 });
    await page.getByRole('button', { name: 'Save: Account' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    expect(await stored('/api/settings')).toMatchObject({ accountName: 'Engines', dailySendCap: 700 });
  });

  it.each([
    {
      section: 'SMTP relay',
      field: 'Messages per second',
      before: { smtp: { host: 'smtp.example.com', port: 587, username: 'mailer', password: 'first' } },
      meanwhile: { smtp: { host: 'relay.example.com', username: 'shop', password: 'second' } },
      after: { smtp: { host: 'relay.example.com', username: 'shop', passwordSet: true, maxSendRate: 5 } },
    },
    {
      section: 'Amazon SES',
      field: 'Configuration set',
      before: { ses: { region: 'eu-west-1', accessKeyId: 'AKIA1', secretAccessKey: 'first' } },
      meanwhile: { ses: { region: 'eu-north-1', accessKeyId: 'AKIA2', secretAccessKey: 'second' } },
      after: { ses: { region: 'eu-north-1', accessKeyId: 'AKIA2', configurationSet: '5' } },
    },
    {
      section: 'SMS',
      field: 'SMS per second',
      before: { sms: { region: 'us-east-1' } },
      meanwhile: { sms: { region: 'us-west-2', senderId: 'Shop' } },
      after: { sms: { region: 'us-west-2', senderId: 'Shop', maxSendRate: 5 } },
    },
  ])('is kept when another field of $section is saved', async ({ section, field, before, meanwhile, after }) => {
    await change('/api/settings', before);
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByLabel(field).fill('5');
    await change('/api/settings', meanwhile);
    await page.getByRole('button', { name: `Save: ${section}`, exact: true }).click();
    await page.getByText('The settings have been saved.').waitFor();
    expect(await stored('/api/settings')).toMatchObject(after);
  });

  it('does not get a password that was typed for another relay', async () => {
    const relay = { host: 'smtp.example.com', username: 'mailer', allowPlaintext: true };
    await change('/api/settings', { smtp: { ...relay, port: 587 } });
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByLabel('Password', { exact: true }).and(page.locator('input')).fill('of the mailer');
    await change('/api/settings', { smtp: { host: 'relay.example.com', username: 'shop' } });
    await page.getByRole('button', { name: 'Save: SMTP relay' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    expect((await stored('/api/settings')).smtp).toMatchObject({ ...relay, passwordSet: true });
  });

  it.each([
    {
      section: 'SMTP relay',
      field: 'Messages per second',
      key: 'Host',
      before: { smtp: { host: 'relay', port: 587 } },
    },
    { section: 'SMS', field: 'SMS per second', key: 'Region', before: { sms: { region: 'us-east-1' } } },
  ])('is explained if it is that $section has been removed', async ({ section, field, key, before }) => {
    await change('/api/settings', before);
    const { page, faults } = await fixture.visit('admin', '/settings');
    await page.getByLabel(field).fill('7');
    await change('/api/settings', Object.fromEntries(Object.keys(before).map((name) => [name, null])));
    const save = page.getByRole('button', { name: `Save: ${section}`, exact: true });
    await save.click();
    await page.getByText('These settings have been removed in the meantime.').waitFor();
    const form = page.locator('form').filter({ has: save });
    await waitFor('an empty form', async () => (await form.getByLabel(key).inputValue()) === '');
    expect(await page.getByLabel(field).inputValue()).toBe('7');
    faults.length = 0; // the browser logs the 400
  });

  it('is kept when the address of a user is changed', async () => {
    const id = await post('/api/users', { email: 'bob@example.com', password: PASSWORD, role: 'admin' });
    const { page } = await fixture.visit('admin', '/users');
    await page.getByRole('button', { name: 'Edit bob@example.com' }).click();
    await change(`/api/users/${id}`, { role: 'member' });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('robert@example.com');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { items } = await stored('/api/users');
    expect(items).toContainEqual(expect.objectContaining({ email: 'robert@example.com', role: 'member' }));
  });

  it('is shown by a list when somebody else has deleted a row of it', async () => {
    const id = await post('/api/users', { email: 'eve@example.com', password: PASSWORD, role: 'member' });
    const { page, faults } = await fixture.visit('admin', '/users');
    await page.getByRole('button', { name: 'Remove eve@example.com' }).click();
    await fixture.account.asAdmin('delete', `/api/users/${id}`).expect(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove user' }).click();
    await page.getByText('User not found').waitFor();
    await page.getByRole('row', { name: /^eve@example.com/ }).waitFor({ state: 'detached' });
    faults.length = 0; // the browser logs the 404
  });

  it.each([
    ['domains', { name: 'northwind.com' }, 'This domain has been removed meanwhile.'],
    ['webhooks', { url: 'https://crm.example.com/', events: ['contact.bounced'] }, 'This endpoint has been deleted'],
  ])('is shown by a page of /%s that is open while somebody else deletes it', async (section, body, notice) => {
    const id = await post(`/api/${section}`, body);
    const { page, faults } = await fixture.visit('member', `/${section}/${id}`);
    await page.getByRole('table').first().or(page.getByText('No deliveries yet')).first().waitFor();
    await fixture.account.asAdmin('delete', `/api/${section}/${id}`).expect(200);
    await page.getByRole('alert').getByText(notice).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0);
    faults.length = 0; // the browser logs the 404
  });

  it('is kept when an endpoint gets another description', async () => {
    const endpoint = { url: 'https://example.com/hooks', events: ['contact.suppressed'] };
    const id = await post('/api/webhooks', endpoint);
    const { page } = await fixture.visit('admin', `/webhooks/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await change(`/api/webhooks/${id}`, { events: ['contact.suppressed', 'contact.bounced'] });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('CRM');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { description, events } = await stored(`/api/webhooks/${id}`);
    expect({ description, events }).toEqual({ description: 'CRM', events: ['contact.suppressed', 'contact.bounced'] });
  });
});
