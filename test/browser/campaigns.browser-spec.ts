import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { NARROW } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { waitFor } from '../support/wait-for.js';

const HTML = '<h1>Dear {{firstName}}</h1><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';
const ACTIVE = 24;

describe('A campaign', () => {
  let fixture: DashboardFixture;
  let listId: string;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const { account } = fixture;
    listId = (await account.asAdmin('post', '/api/lists').send({ name: 'Newsletter' }).expect(201)).body.id;
    const contacts = Array.from({ length: ACTIVE + 2 }, (_, i) => ({
      email: `reader${i}@example.org`,
      firstName: `Reader ${i}`,
      listIds: [listId],
      ...(i < ACTIVE ? {} : { status: 'unsubscribed' }),
    }));
    await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    // The browser logs every error response.
    expect((await fixture.faults()).filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
  });

  const stored = async (id: string) => (await fixture.account.asAdmin('get', `/api/campaigns/${id}`).expect(200)).body;

  const create = async (fields: object = {}): Promise<string> => {
    const plan = { name: 'News', fromEmail: SENDER, subject: 'News', html: HTML, audience: { listIds: [listId] } };
    const request = fixture.account.asAdmin('post', '/api/campaigns').send({ ...plan, ...fields });
    return (await request.expect(201)).body.id;
  };

  const field = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('input, textarea, [contenteditable]'));

  it('is created, counted, previewed, tested, started, paused, resumed and completed', async () => {
    const visitor = await fixture.visit('admin', '/campaigns');
    const { page } = visitor;
    await page.getByText('No campaigns yet').waitFor();
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('heading', { name: 'New campaign' }).waitFor(); // the list can be searched by a name, too
    await field(page, 'Name').fill('November news');
    await field(page, 'From').fill(SENDER);
    await field(page, 'Subject').fill('News for {{firstName}}');
    await field(page, 'HTML').fill('<p>');
    await page.keyboard.type('{{firs');
    await page.getByRole('option', { name: 'firstName' }).click();
    await field(page, 'HTML').getByText('<p>{{firstName}}').waitFor();
    await field(page, 'HTML').fill(HTML);
    await field(page, 'Limit per minute').fill('240');
    await page.getByText('The recipients are counted once the draft has been created.').first().waitFor();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL(/\/campaigns\/c[a-z0-9]{24}$/);
    const id = page.url().split('/').at(-1)!;
    await page.getByRole('heading', { name: 'November news' }).waitFor();

    await field(page, 'Lists').click();
    await page.getByRole('option', { name: 'Newsletter' }).click();
    await page.keyboard.press('Escape');
    await page.getByText(`${ACTIVE} recipients, without 2 suppressed contacts`).waitFor();
    await page.getByText('Sender verified').waitFor();
    await page.getByText('Unsubscribe link present').waitFor();
    await field(page, 'Preview as').fill('reader7@');
    await page.getByRole('option', { name: /^reader7@example.org/ }).click();
    await page.getByText('News for Reader 7').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Reader 7' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('campaign-draft-1280');

    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The test has been queued.').waitFor();
    await waitFor('the test', () => fixture.relay.received().length === 1);

    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByText(`${ACTIVE} recipients will get it now.`).waitFor();
    await dialog.getByRole('button', { name: 'Start campaign' }).click();
    await page.getByText(/^[1-9]\d* of 26 recipients processed/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused: [1-9]\d* recipients? (is|are) waiting/).waitFor();
    await visitor.picture('campaign-paused-1280');
    expect((await stored(id)).status).toBe('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Completed: 26 recipients.').waitFor();

    const mails = fixture.relay.received().slice(1);
    const addressees = mails.flatMap(({ envelope }) => envelope.to);
    expect([...new Set(addressees)]).toHaveLength(ACTIVE);
    expect(addressees).toHaveLength(ACTIVE);
    await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Skipped').click();
    await page.getByText('The address is suppressed.').first().waitFor();
    await page.getByText('2 shown, in sending order').waitFor();
    await page.setViewportSize({ width: 820, height: 1180 });
    for (const name of ['Outcome', 'Reason']) await page.getByRole('columnheader', { name }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText(`${ACTIVE} (100%)`).waitFor();
    // The relay reports no deliveries, and nobody counts opens and clicks.
    await page.getByRole('img', { name: 'Sent and delivered. Sent: 24.' }).waitFor();
    expect(await page.getByRole('img', { name: /^Opens and clicks/ }).count()).toBe(0);
    expect(await page.getByText('Not reported').count()).toBe(3);
    await page.getByRole('radiogroup', { name: 'Interval' }).getByText('Days').click();
    await page.getByText(/, by UTC day\.$/).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('campaign-completed-1280');

    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('heading', { name: 'Copy of November news' }).waitFor();
    await field(page, 'Name').fill('Not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete campaign' }).click();
    await page.getByText('“Copy of November news” has been deleted.').waitFor();
    await page.getByRole('row', { name: /November news.*Completed.*26 of 26/ }).waitFor();
  });

  it('that somebody else has ended is loaded again', async () => {
    const id = await create({ maxPerMinute: 1 });
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    let isHidden = true; // from the page, whose refresh waits
    let isWaiting = false;
    await page.route('**/api/campaigns/*', async (route) => {
      if (route.request().method() === 'GET' && isHidden) isWaiting = true;
      else await route.continue();
    });
    await waitFor('a refresh to wait', () => isWaiting);
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/cancel`).expect(200);
    isHidden = false;
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Campaign is canceled').waitFor();
    await page.getByText(/^Canceled: not sent to \d+ recipients?/).waitFor();
    expect(await page.getByRole('button', { name: /Pause|Resume/ }).count()).toBe(0);
  });

  it('is retried for recipients whose message failed', async () => {
    const refused = ['reader3@example.org', 'reader4@example.org'];
    fixture.relay.reset();
    fixture.relay.answer = (stage, _session, address) =>
      stage === 'rcpt' && refused.includes(address) ? { code: 550, message: '5.7.1 not now' } : undefined;
    const id = await create({ name: 'Retried' });
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    await page.getByText('Completed: 26 recipients.').waitFor();
    const retry = page.getByRole('button', { name: /^Retry/ });
    expect(await retry.innerText()).toBe('Retry 2 failed');
    expect(fixture.relay.received()).toHaveLength(ACTIVE - 2);
    fixture.relay.answer = () => undefined;
    await retry.click();
    await page.getByText('Recipients whose message failed will get a new one.').waitFor();
    await waitFor('the retried mail', () => fixture.relay.received().length === ACTIVE);
    const addressees = fixture.relay.received().flatMap(({ envelope }) => envelope.to);
    expect(addressees.slice(-2).sort()).toEqual(refused);
    await page.getByText('Completed: 26 recipients.').waitFor();
    await retry.waitFor({ state: 'detached' });
  });

  it('takes its content from a template', async () => {
    const template = { name: 'Monthly', subject: 'News from {{shop}}', html: '<h1>Hello {{firstName}}</h1>' };
    const post = fixture.account.asAdmin('post', '/api/templates').send(template);
    const { id: templateId } = (await post.expect(201)).body as { id: string };
    const id = await create({ name: 'From a template', html: '<p>Own</p>' });
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    await page.getByText('Use a template').click();
    await field(page, 'Template').click();
    await page.getByRole('option', { name: 'Monthly' }).click();
    await field(page, 'Subject').fill('');
    await field(page, 'Variables').fill('{"shop": "Northwind", "firstName": "reader"}');
    await page.getByText('News from Northwind').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hello reader' }).waitFor();
    await page.getByText('Unsubscribe link missing').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ templateId, subject: null, html: null });

    const start = async () => {
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start campaign' }).click();
    };
    const change = (html: string) =>
      fixture.account.asAdmin('patch', `/api/templates/${templateId}`).send({ html }).expect(200);
    const html = `${template.html}<a href="{{unsubscribeUrl}}">Unsubscribe</a>`;
    await change(html);
    fixture.relay.reset();
    await page.reload();
    await page.getByText('Unsubscribe link present').waitFor();
    await change(template.html);
    await start();
    const templateField = page.locator('.mantine-InputWrapper-root').filter({ has: field(page, 'Template') });
    await templateField.getByText('html must contain {{unsubscribeUrl}}').waitFor();
    await change(html);
    await start();
    await page.getByText('Completed: 26 recipients.').waitFor();
    expect(new Set(fixture.relay.received().map(({ parsed }) => parsed.subject))).toEqual(
      new Set(['News from Northwind']),
    );
    await page.getByRole('link', { name: 'Monthly' }).click();
    await page.waitForURL(`**/templates/${templateId}`);
  });

  it('is counted for every change of its audience, also for those during a save', async () => {
    const { account } = fixture;
    const listOf = async (name: string, count: number) => {
      const { body } = await account.asAdmin('post', '/api/lists').send({ name }).expect(201);
      const contacts = Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@example.org` }));
      await account.asAdmin('post', '/api/contacts/import').send({ contacts, listId: body.id }).expect(200);
    };
    await listOf('few', 3);
    await listOf('more', 5);
    const id = await create({ name: 'Counted', audience: {} });
    const { page } = await fixture.visit('admin', `/campaigns/${id}`);
    const saving = await holdRequests(page, 'PATCH', `**/api/campaigns/${id}`);
    await field(page, 'Lists').click();
    await page.getByRole('option', { name: 'few' }).click();
    await saving.started;
    await page.getByRole('option', { name: 'more' }).click();
    await page.getByText('Counting the recipients…').first().waitFor();
    saving.release();
    await page.getByText('8 recipients').first().waitFor();
    expect((await stored(id)).audience.listIds).toHaveLength(2);
  });

  it('can be followed by a member, but not changed', async () => {
    const draft = await create({ name: 'Draft' });
    const visitor = await fixture.visit('member', '/campaigns');
    const { page } = visitor;
    const changing = page.getByRole('main').getByRole('button', {
      name: /^(Create|Save|Start|Schedule|Send|Delete|Copy|Pause|Resume|Cancel|Retry)/,
    });
    await page.getByRole('row', { name: /Retried/ }).waitFor();
    expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0);
    await visitor.open('/campaigns/new');
    await page.getByText('Only admins of this account can open this page.').waitFor();

    await visitor.open(`/campaigns/${draft}`);
    await page.getByText(`${ACTIVE} recipients, without 2 suppressed contacts`).waitFor();
    await page.getByText('Sender verified').waitFor();
    await page.getByText('DMARC record not checked').waitFor();
    for (const label of ['Name', 'From', 'Subject', 'Lists', 'Limit per minute'])
      expect([label, await field(page, label).isDisabled()]).toEqual([label, true]);
    await field(page, 'HTML').and(page.locator('[aria-readonly=true]')).waitFor();
    expect(await changing.allInnerTexts()).toEqual([]);
    await field(page, 'Preview as').fill('reader5@');
    await page.getByRole('option', { name: /^reader5@example.org/ }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Reader 5' }).waitFor();

    await visitor.open('/campaigns');
    const retried = page.getByRole('row', { name: /Retried/ });
    await retried.getByRole('link').click();
    await page.getByText('Completed: 26 recipients.').waitFor();
    await page.getByRole('img', { name: /^Sent and delivered\. Sent: 24/ }).waitFor();
    expect(await changing.allInnerTexts()).toEqual([]);
    expect(await visitor.violations()).toEqual([]);
  });

  it('is scheduled in a time zone, and taken back', async () => {
    const id = await create();
    const { page } = await fixture.visit('admin', `/campaigns/${id}`, { viewport: NARROW });
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await page.locator('.html-editor').waitFor(); // it is not as high as the text field before it
    await page.getByText('At a set time').click();
    await field(page, 'Date and time').fill(`${inTenDays}T09:30`);
    await field(page, 'Time zone').fill('Tokyo');
    await page.getByRole('option').first().click();
    await page.getByText(/00:30 UTC$/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    expect((await stored(id)).scheduledAt).toBe(`${inTenDays}T00:30:00.000Z`);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule campaign' }).click();
    await page.getByRole('button', { name: 'Back to draft' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ status: 'draft', scheduledAt: null });
  });
});
