import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { recordConsent } from '../support/consents.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { addTopic } from '../support/topics.js';

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

  it('shows older records, too', async () => {
    const email = 'changing@example.org';
    const { body } = await fixture.account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    for (const action of ['withdrawn', ...Array<string>(25).fill('granted')])
      await recordConsent(fixture.account, { email, action }).expect(201);
    const { page } = await fixture.visit('member', `/contacts/${body.id}`);
    const history = page.getByRole('table', { name: 'Consent history' });
    await page.getByText('25 shown, newest first').waitFor();
    expect(await history.getByRole('row', { name: /Withdrawn/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Older' }).click();
    await history.getByRole('row', { name: /Withdrawn.*Dashboard/ }).waitFor();
    await page.getByText('1 shown, newest first').waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText('25 shown, newest first').waitFor();
  });

  it('shows which topics the person is in, and whether they may be tracked, and records both', async () => {
    const { account } = fixture;
    const email = 'reader@example.org';
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    const { id: topicId } = await addTopic(account, { name: 'News' });
    await addTopic(account, { name: 'Offers', byDefault: 'out' });
    const visitor = await fixture.visit('admin', `/contacts/${body.id}`);
    const { page } = visitor;
    const fact = (name: string, value: string) =>
      page.locator('.facts > div').filter({ hasText: name }).getByText(value, { exact: true });
    await fact('Topic News', 'Subscribed by default').waitFor();
    await fact('Topic Offers', 'Not subscribed by default').waitFor();
    await fact('Tracking', 'Nothing recorded').waitFor();

    const record = page.getByRole('button', { name: 'Record consent' });
    const dialog = page.getByRole('dialog');
    await record.click();
    await dialog.getByText('Withdrawn', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('option', { name: 'News' }).click();
    await dialog.getByRole('button', { name: 'Record consent' }).click();
    await fact('Topic News', 'Unsubscribed').waitFor();
    await page.getByRole('row', { name: /Withdrawn.*Marketing.*News/ }).waitFor();

    await dialog.waitFor({ state: 'detached' });
    await record.click();
    await dialog.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('option', { name: 'News' }).click();
    await dialog.getByRole('combobox', { name: 'Purpose' }).click();
    await page.getByRole('option', { name: 'Tracking' }).click();
    await dialog.getByRole('button', { name: 'Record consent' }).click();
    await fact('Tracking', 'Agreed').waitFor();
    const { body: list } = await account.asAdmin('get', '/api/consents').query({ email }).expect(200);
    expect(list.items).toMatchObject([
      { purpose: 'tracking', action: 'granted', topicId: null },
      { purpose: 'marketing', action: 'withdrawn', topicId },
    ]);

    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('combobox', { name: 'Topic' }).waitFor();
  });

  it('says who is in a topic but gets no campaigns without consent', async () => {
    const { account } = fixture;
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email: 'new@example.org' }).expect(201);
    await addTopic(account, { name: 'Events' });
    await account
      .asAdmin('patch', '/api/settings')
      .send({ consent: { requiredFor: 'campaigns' } })
      .expect(200);
    const { page } = await fixture.visit('admin', `/contacts/${body.id}`);
    await page.getByText('Subscribed by default, but campaigns need consent').first().waitFor();
  });
});
