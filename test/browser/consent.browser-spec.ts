import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';

describe('The page of a contact', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('shows what the person has agreed to, with the words as they were, and records what they say elsewhere', async () => {
    const email = 'consenting@example.org';
    const { body } = await fixture.account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    const wording = 'Yes, send me the newsletter.';
    await fixture.account
      .asAdmin('post', '/api/consents')
      .send({ email, action: 'granted', wording, ip: '192.0.2.7', occurredAt: '2024-02-29T10:00:00Z' })
      .expect(201);
    const { page } = await fixture.visit('admin', `/contacts/${body.id}`);
    const history = page.getByRole('table', { name: 'Consent history' });
    await history.getByRole('row', { name: /Agreed.*Marketing/ }).waitFor();
    await history.getByRole('button', { name: 'Show proof' }).click();
    const proof = page.getByRole('dialog');
    await proof.getByText(wording).waitFor();
    await proof.getByText('192.0.2.7').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Record consent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Withdrawn', { exact: true }).click();
    await dialog.getByLabel('Evidence').fill('Letter of 1 March');
    await dialog.getByRole('button', { name: 'Record consent' }).click();
    await page.getByText('The consent has been recorded.').waitFor();
    await history.getByRole('row', { name: /Withdrawn.*Dashboard/ }).waitFor();
    const { body: list } = await fixture.account.asAdmin('get', '/api/consents').query({ email }).expect(200);
    expect(list.items).toMatchObject([
      { action: 'withdrawn', evidence: 'Letter of 1 March', source: 'dashboard' },
      { action: 'granted', wording: { text: wording } },
    ]);
  });
});
