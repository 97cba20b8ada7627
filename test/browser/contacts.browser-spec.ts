import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';

describe('Contacts', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are added, put into a list, found by list and by tag, unsubscribed and deleted', async () => {
    const { page } = await fixture.visit('admin', '/lists');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByLabel('Name').fill('Newsletter');
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByRole('row', { name: /Newsletter/ }).waitFor();

    await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByText('No contacts yet').waitFor();
    await page.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('Ada@example.org');
    await dialog.getByLabel('First name').fill('Ada');
    await dialog.getByLabel('Tags').fill('vip');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await page
      .getByRole('row', { name: /Ada@example\.org/ })
      .getByRole('link')
      .click();

    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await page.getByLabel('Lists').and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Newsletter' }).click();
    await page.getByLabel('Company').fill('Engines');
    const { items } = (await fixture.account.asAdmin('get', '/api/contacts').expect(200)).body;
    const path = `/api/contacts/${items[0].id}`;
    await fixture.account
      .asAdmin('patch', path)
      .send({ tags: ['vip', 'imported'] })
      .expect(200);
    const saving = await holdRequests(page, 'PATCH', `**${path}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await saving.started;
    await page.getByLabel('Last name').fill('Lovelace');
    saving.release();
    await page.getByText('The contact has been saved.', { exact: true }).waitFor();
    const saved = { company: 'Engines', lastName: null, tags: ['imported', 'vip'] };
    expect((await fixture.account.asAdmin('get', path).expect(200)).body).toMatchObject(saved);
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();

    await page.getByRole('link', { name: 'Lists' }).click();
    await page
      .getByRole('row', { name: /Newsletter/ })
      .getByRole('link')
      .click();
    await page.getByRole('row', { name: /Engines/ }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('vip');
    await page.keyboard.press('Enter');
    await page.getByText('1 in total').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('vip');

    await page
      .getByRole('row', { name: /Engines/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribed', { exact: true }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ada@example.org is subscribed again.').waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribed', { exact: true }).waitFor();
    await page.getByLabel('Company').fill('Not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete contact' }).click();
    await page.getByText('No contacts yet').waitFor();
  });
});
