import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { addTopic } from '../support/topics.js';
import { waitFor } from '../support/wait-for.js';

describe('Sign-up forms in the dashboard', () => {
  let fixture: DashboardFixture;
  let topicId: string;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    await fixture.account.asAdmin('post', '/api/lists').send({ name: 'Readers' }).expect(201);
    topicId = (await addTopic(fixture.account)).id;
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const stored = async () => (await fixture.account.asMember('get', '/api/forms').expect(200)).body.items;

  it('are made with a preview of what is typed, and then have a code to embed', async () => {
    const { page } = await fixture.visit('admin', '/forms');
    await page.getByRole('link', { name: 'New form' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Newsletter');
    await page.getByLabel('Wording').fill('I want the newsletter.');
    await page.getByLabel('First name').check();
    const preview = page.getByTestId('form-preview');
    expect(await preview.innerText()).toContain('Newsletter');
    expect(await preview.innerText()).toContain('First name');
    expect(await preview.innerText()).toContain('I want the newsletter.');
    await page.getByLabel('From', { exact: true }).and(page.locator('input')).fill(SENDER);
    await page.getByLabel('Lists', { exact: true }).and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Readers' }).click();
    await page.keyboard.press('Escape'); // closes the options
    await page.getByLabel('Topics', { exact: true }).and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Newsletter' }).click();
    await page.getByRole('button', { name: 'Create form' }).click();
    await page.getByText('Embed code').first().waitFor();
    const form = (await stored())[0];
    expect(form).toMatchObject({ name: 'Newsletter', fields: ['firstName'], challenge: 'altcha', status: 'active' });
    expect(form.listIds).toHaveLength(1);
    expect(form.topicIds).toEqual([topicId]);
    expect(page.url()).toContain(`/forms/${form.id}`);
    await page.getByText(`/f/${form.id}/embed.js" async></script>`).waitFor();
  });

  it('are changed, disabled, listed with their numbers and deleted', async () => {
    const form = (await stored())[0];
    const { page } = await fixture.visit('admin', `/forms/${form.id}`);
    await page.getByLabel('Wording').fill('Other words.');
    await page.getByLabel('Takes sign-ups').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await waitFor('the change', async () => (await stored())[0].status === 'disabled');
    expect((await stored())[0]).toMatchObject({ wording: 'Other words.', wordingVersion: 2, name: 'Newsletter' });
    await page.getByRole('link', { name: 'Forms' }).first().click();
    await page.getByRole('row', { name: /Newsletter.*Disabled.*0.*0/s }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete form' }).click();
    await page.getByText('No forms yet').waitFor();
    expect(await stored()).toEqual([]);
  });

  it('can be seen, but not changed, by a member', async () => {
    const body = { name: 'Newsletter', wording: 'I want it.', fromEmail: SENDER };
    const { id } = (await fixture.account.asAdmin('post', '/api/forms').send(body).expect(201)).body;
    const { page } = await fixture.visit('member', `/forms/${id}`);
    expect(await page.getByLabel('Wording').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });
});
