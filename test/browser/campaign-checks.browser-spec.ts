import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

const HTML = '<h1>Dear {{firstName}}</h1><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';
const ACTIVE = 3;

describe('The checklist of a campaign', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const { account } = fixture;
    const { body } = await account.asAdmin('post', '/api/lists').send({ name: 'Newsletter' }).expect(201);
    const contacts = Array.from({ length: ACTIVE }, (_, i) => ({
      email: `reader${i}@example.org`,
      firstName: `Reader ${i}`,
    }));
    await account.asAdmin('post', '/api/contacts/import').send({ contacts, listId: body.id }).expect(200);
  });
  afterAll(() => fixture.stop());

  const field = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('input, textarea, [contenteditable]'));

  it('says why the campaign cannot start, and beside the field what the service refuses', async () => {
    const plan = { name: 'Faulty', fromEmail: 'nobody@elsewhere.example', subject: 'News', html: '<p>News</p>' };
    const { body } = await fixture.account.asAdmin('post', '/api/campaigns').send(plan).expect(201);
    const id = body.id as string;
    const stored = async () => (await fixture.account.asAdmin('get', `/api/campaigns/${id}`).expect(200)).body;
    const visitor = await fixture.visit('admin', `/campaigns/${id}`);
    const { page } = visitor;
    const start = page.getByRole('button', { name: 'Start', exact: true });
    const blockedBy = async (reason: string) => {
      await page.getByText(`Not possible yet: ${reason}`, { exact: true }).waitFor();
      expect(await start.isDisabled()).toBe(true);
    };
    const fault = (label: string, text: string) =>
      page
        .locator('.mantine-InputWrapper-root')
        .filter({ has: field(page, label) })
        .getByText(text)
        .waitFor();
    await page.getByText('Sender not verified').waitFor();
    await page.getByText('Unsubscribe link missing').waitFor();
    await blockedBy('No recipients');
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('campaign-blocked-1280');

    await field(page, 'Lists').click();
    await page.getByRole('option', { name: 'Newsletter' }).click();
    await page.keyboard.press('Escape');
    await blockedBy('Sender not verified');
    await field(page, 'From').fill(SENDER);
    await page.getByText('Save first: the saved campaign is sent').waitFor();
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The campaign has been saved.', { exact: true }).waitFor();
    await blockedBy('Unsubscribe link missing');
    await field(page, 'HTML').fill(`${HTML}{{city}}${'<p>A long story.</p>'.repeat(6_000)}`);
    await page.getByText('Gmail clips messages above 102 kB.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Unsubscribe link present').waitFor();
    await page.getByText(`{{city}} for ${ACTIVE} recipients`).waitFor();
    await waitFor('the campaign to be ready', () => start.isEnabled());

    // Somebody else changes it: the service refuses what the checklist has not seen.
    await fixture.account.asAdmin('patch', `/api/campaigns/${id}`).send({ html: '<p>News</p>' }).expect(200);
    await start.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start campaign' }).click();
    await fault('HTML', 'html must contain {{unsubscribeUrl}}');

    await field(page, 'Name').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await fault('Name', 'Enter a name.');
    expect((await stored()).status).toBe('draft');
  });
});
