import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { inHours } from '../support/schedules.js';
import { waitFor } from '../support/wait-for.js';

describe('The editor of a campaign', () => {
  let fixture: DashboardFixture;
  let listId: string;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const { account } = fixture;
    listId = (await account.asAdmin('post', '/api/lists').send({ name: 'Newsletter' }).expect(201)).body.id;
    const contact = { email: 'reader@example.org', listIds: [listId] };
    await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const stored = async (id: string) => (await fixture.account.asAdmin('get', `/api/campaigns/${id}`).expect(200)).body;

  const create = async (name: string): Promise<string> => {
    const content = { subject: 'News', text: 'News. To unsubscribe: {{unsubscribeUrl}}' };
    const plan = { name, fromEmail: SENDER, ...content, audience: { listIds: [listId] }, scheduledAt: inHours(48) };
    return (await fixture.account.asAdmin('post', '/api/campaigns').send(plan).expect(201)).body.id;
  };

  const field = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('input, textarea'));

  /** As when the user comes back to the window. */
  const refresh = async (page: Page, id: string) => {
    const refreshed = page.waitForResponse((response) => response.url().endsWith(`/api/campaigns/${id}`));
    await page.clock.fastForward('00:10'); // until when what was loaded counts as fresh
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await refreshed;
  };

  it('keeps what is typed when somebody else changes the status', async () => {
    const id = await create('Contested');
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/campaigns/${id}`);
    const changed = page.getByRole('alert').filter({ hasText: 'The campaign has changed in the meantime' });
    await page.getByRole('button', { name: 'Schedule', exact: true }).waitFor();
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
    await refresh(page, id);
    await page.getByRole('button', { name: 'Back to draft' }).waitFor();
    expect(await changed.count()).toBe(0);

    await field(page, 'Subject').fill('Not saved');
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/cancel`).expect(200);
    await refresh(page, id);
    await changed.getByText('Its status is now “Canceled”.').waitFor();
    expect(await field(page, 'Subject').inputValue()).toBe('Not saved');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('campaign-changed-meanwhile');

    await changed.getByRole('button', { name: 'Load current state' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard and load' }).click();
    await page.getByText(/^Canceled: not sent to \d+ recipients?/).waitFor();
    expect(await field(page, 'Subject').count()).toBe(0);
  });

  it('saves only what was changed, and shows what somebody else has changed', async () => {
    const id = await create('Edited by two');
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    await field(page, 'Subject').fill('Fresh news');
    const scheduledAt = inHours(72);
    await fixture.account.asAdmin('patch', `/api/campaigns/${id}`).send({ name: 'Renamed', scheduledAt }).expect(200);
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({
      name: 'Renamed',
      status: 'scheduled',
      subject: 'Fresh news',
      scheduledAt,
    });
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('button', { name: 'Back to draft' }).waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Renamed');
  });

  it('shows what somebody else has changed when it is loaded again, and keeps what is typed', async () => {
    const id = await create('Shared');
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/campaigns/${id}`);
    await page.getByRole('heading', { name: 'Shared' }).waitFor();
    await field(page, 'Sender name').fill('Northwind');
    const changes = { name: 'Ours', subject: 'Other news', audience: { listIds: [] } };
    await fixture.account.asAdmin('patch', `/api/campaigns/${id}`).send(changes).expect(200);
    await refresh(page, id);
    await page.getByRole('heading', { name: 'Ours' }).waitFor();
    await waitFor('the subject', async () => (await field(page, 'Subject').inputValue()) === 'Other news');
    expect(await field(page, 'Name').inputValue()).toBe('Ours');
    expect(await field(page, 'Sender name').inputValue()).toBe('Northwind');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ name: 'Ours', subject: 'Other news', fromName: 'Northwind' });
    expect((await stored(id)).audience.listIds).toEqual([]);
  });

  it.each(['saved', 'loaded again and saved'])(
    'does not mix what is typed with a template that somebody else has chosen when it is %s',
    async (how) => {
      const { account } = fixture;
      const template = { name: `Template, ${how}`, subject: 'Offers', html: '<p>Offers</p>' };
      const templateId = (await account.asAdmin('post', '/api/templates').send(template).expect(201)).body.id;
      const id = await create('Two contents');
      const visitor = await fixture.visit('admin', '/overview');
      const { page } = visitor;
      await page.clock.install();
      await visitor.open(`/campaigns/${id}`);
      await field(page, 'Plain text').fill('Typed. To unsubscribe: {{unsubscribeUrl}}');
      const changes = { name: `Offers, ${how}`, templateId, html: null, text: null };
      await account.asAdmin('patch', `/api/campaigns/${id}`).send(changes).expect(200);
      if (how !== 'saved') {
        await refresh(page, id);
        await page.getByRole('heading', { name: changes.name }).waitFor();
      }
      expect(await field(page, 'Plain text').inputValue()).toContain('Typed.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
      const content = { templateId: null, subject: 'News', html: null };
      expect(await stored(id)).toMatchObject({ ...content, text: 'Typed. To unsubscribe: {{unsubscribeUrl}}' });
      expect(await field(page, 'Plain text').inputValue()).toContain('Typed.');
    },
  );

  it('keeps a list out that is unpicked while it is being saved, also when the campaign is loaded again', async () => {
    const { account } = fixture;
    const other = (await account.asAdmin('post', '/api/lists').send({ name: 'Customers' }).expect(201)).body.id;
    const id = await create('Second thoughts');
    const visitor = await fixture.visit('admin', '/overview');
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/campaigns/${id}`);
    await field(page, 'Lists').click();
    let answer: (() => void) | undefined;
    await interceptRequests(page, `**/api/campaigns/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH' || answer) return route.continue();
      const audience = { listIds: [listId, other] };
      const { body } = await account.asAdmin('patch', `/api/campaigns/${id}`).send({ audience }).expect(200);
      await new Promise<void>((resolve) => (answer = resolve));
      await route.fulfill({ json: body });
    });
    const customers = page.getByRole('option', { name: 'Customers' });
    await customers.click();
    await waitFor('the list to be saved', async () => (await stored(id)).audience.listIds.includes(other));
    await customers.click();
    await refresh(page, id);
    answer!();
    await waitFor('the list to be taken out', async () => !(await stored(id)).audience.listIds.includes(other));
    expect(await customers.getAttribute('aria-selected')).toBe('false');
  });

  it('says that a list has been deleted, and so does the report', async () => {
    const { account } = fixture;
    const former = (await account.asAdmin('post', '/api/lists').send({ name: 'Former' }).expect(201)).body.id;
    const [draft, sent] = [await create('Not sent'), await create('Sent')];
    for (const id of [draft, sent])
      await account
        .asAdmin('patch', `/api/campaigns/${id}`)
        .send({ audience: { listIds: [listId, former] }, scheduledAt: null })
        .expect(200);
    await account.asAdmin('post', `/api/campaigns/${sent}/start`).expect(200);
    await account.asAdmin('delete', `/api/lists/${former}`).expect(200);
    const visitor = await fixture.visit('admin', `/campaigns/${draft}`);
    await visitor.page.getByText('Deleted list', { exact: true }).first().waitFor();
    await visitor.open(`/campaigns/${sent}`);
    await visitor.page.getByText('Newsletter, Deleted list', { exact: true }).waitFor();
  });

  it('takes nothing while the campaign is being started', async () => {
    const id = await create('Starting');
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    const start = await holdRequests(page, 'POST', `**/api/campaigns/${id}/start`);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule campaign' }).click();
    await start.started;
    const inert = page.locator('[inert]').filter({ has: field(page, 'Subject') });
    await inert.waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await field(page, 'Subject').focus();
    await page.keyboard.type('Typed');
    expect(await field(page, 'Subject').inputValue()).toBe('News');
    start.release();
    await page.getByRole('button', { name: 'Back to draft' }).waitFor();
    await inert.waitFor({ state: 'detached' });
    await field(page, 'Subject').fill('Later news');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ status: 'scheduled', subject: 'Later news' });
  });

  it('offers only contacts that match what is typed, also before the answer', async () => {
    const contact = { email: 'writer@example.org', listIds: [listId] };
    await fixture.account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    const { page } = await fixture.visit('admin', `/campaigns/${await create('Previewed')}`);
    await field(page, 'Preview as').click();
    await page.getByRole('option', { name: 'writer@example.org' }).waitFor();
    const held = await holdRequests(page, 'GET', '**/api/contacts*search=*');
    await field(page, 'Preview as').fill('reader@');
    await held.started;
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['reader@example.org']);
    await field(page, 'Preview as').fill('nobody@');
    await page.getByText('Loading').waitFor();
    held.release();
    await page.getByText('No matching contacts').waitFor();
  });
});
