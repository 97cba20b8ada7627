import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { insertMessages } from '../support/message-rows.js';
import { waitFor } from '../support/wait-for.js';

describe('Topics', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are created, edited, shown with their messages and people, and deleted', async () => {
    const visitor = await fixture.visit('admin', '/topics');
    const { page } = visitor;
    await page.getByText('No topics yet').waitFor();
    await page.getByRole('button', { name: 'New topic' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Offers');
    await dialog.getByLabel('Description').fill('Once\na week');
    await dialog.getByRole('button', { name: 'Create topic' }).click();
    await page.getByRole('row', { name: /Offers.*Public.*Subscribed/ }).waitFor();

    await page.getByRole('button', { name: 'Edit Offers' }).click();
    await dialog.getByRole('combobox', { name: 'By default' }).click();
    await page.getByRole('option', { name: 'Nobody, until they have agreed' }).click();
    await dialog.getByRole('button', { name: 'Save topic' }).click();
    await page.getByRole('row', { name: /Offers.*Public.*Not subscribed/ }).waitFor();
    const { body } = await fixture.account.asAdmin('get', '/api/topics').expect(200);
    expect(body.items).toMatchObject([{ name: 'Offers', description: 'Once a week', byDefault: 'out' }]);

    const topicId = body.items[0].id as string;
    await insertMessages(fixture.service, fixture.account.id, [
      { topicId, recipient: 'with@example.org', status: 'delivered' },
      { topicId, recipient: 'also-with@example.org', status: 'sent' },
      { recipient: 'without@example.org' },
    ]);
    const email = 'reader@example.org';
    const { body: contact } = await fixture.account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    for (const [who, action] of [
      [email, 'granted'],
      ['leaving@example.org', 'withdrawn'],
    ])
      await fixture.account.asAdmin('post', '/api/consents').send({ email: who, action, topicId }).expect(201);
    await fixture.account.asAdmin('post', '/api/consents').send({ email, action: 'withdrawn' }).expect(201);
    await page
      .getByRole('row', { name: /Offers/ })
      .getByRole('link')
      .click();
    await page.waitForURL(`**/topics/${topicId}`);
    await page.getByText('2 (100%)').waitFor();
    await page.getByText('1 (50%)').waitFor();
    // The reader has left everything since, and nobody is in by default.
    await page.getByText('Not subscribed1').waitFor();
    const people = page.getByRole('table', { name: 'Changes' });
    await people.getByRole('row', { name: /reader@example.org.*Dashboard/ }).waitFor();
    expect(await people.getByRole('row').count()).toBe(2);
    const toContact = people.getByRole('link', { name: email });
    expect(await toContact.getAttribute('href')).toBe(`/contacts/${contact.id}`);
    await page.getByText('Unsubscribed', { exact: true }).click();
    await people.getByRole('row', { name: /leaving@example.org/ }).waitFor();

    await page.getByRole('link', { name: 'View messages' }).click();
    await page.waitForURL(`**/messages?topicId=${topicId}`);
    await page.getByText('with@example.org', { exact: true }).waitFor();
    expect(await page.getByText('without@example.org').count()).toBe(0);

    await visitor.open(`/topics/${topicId}`);
    await fixture.account.asAdmin('post', '/api/consents').send({ email, action: 'granted', topicId }).expect(201);
    await fixture.account.asAdmin('post', '/api/contacts').send({ email: 'other@example.org' }).expect(201);
    await page.getByRole('link', { name: 'View people' }).click();
    await page.waitForURL(`**/contacts?status=active&topicId=${topicId}`);
    await page.getByRole('row', { name: /reader@example.org.*Active/ }).waitFor();
    expect(await page.getByRole('row', { name: /other@example.org.*Active/ }).count()).toBe(0);

    await visitor.open('/topics');
    await page.getByRole('button', { name: 'Delete Offers' }).click();
    await dialog.getByRole('button', { name: 'Delete topic' }).click();
    await page.getByText('No topics yet').waitFor();
  });

  it('are chosen for a campaign, and filter the list', async () => {
    const { body: topic } = await fixture.account.asAdmin('post', '/api/topics').send({ name: 'Weekly' }).expect(201);
    const plan = {
      ...{ name: 'Week 1', fromEmail: SENDER, subject: 'News', text: '{{unsubscribeUrl}}' },
      audience: { listIds: [], tags: ['all'] },
    };
    const { body } = await fixture.account.asAdmin('post', '/api/campaigns').send(plan).expect(201);
    const { page } = await fixture.visit('admin', `/campaigns/${body.id}`);
    await page.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('option', { name: 'Weekly' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await waitFor('the topic to be saved', async () => {
      const { body: saved } = await fixture.account.asAdmin('get', `/api/campaigns/${body.id}`).expect(200);
      return saved.topicId === topic.id;
    });
    await page.getByRole('link', { name: 'Campaigns' }).first().click();
    await page.getByRole('row', { name: /Week 1.*Weekly/ }).waitFor();
    const other = { ...plan, name: 'Other week' };
    const { body: without } = await fixture.account.asAdmin('post', '/api/campaigns').send(other).expect(201);
    await page.getByRole('row', { name: /Other week/ }).waitFor();
    await page.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('option', { name: 'Weekly' }).click();
    await page.waitForURL(`**/campaigns?topicId=${topic.id}`);
    await page.getByRole('row', { name: /Other week/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Week 1.*Weekly/ }).waitFor();
    await fixture.account.asAdmin('delete', `/api/campaigns/${without.id}`).expect(200);
    await fixture.account.asAdmin('delete', `/api/campaigns/${body.id}`).expect(200);
    await fixture.account.asAdmin('delete', `/api/topics/${topic.id}`).expect(200);
  });

  it('are named on the page of a message, also once they have been deleted', async () => {
    const { body: topic } = await fixture.account.asAdmin('post', '/api/topics').send({ name: 'Sale' }).expect(201);
    const [id] = await insertMessages(fixture.service, fixture.account.id, [{ topicId: topic.id }]);
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    await visitor.page.getByRole('link', { name: 'Sale' }).click();
    await visitor.page.getByRole('heading', { name: 'Sale' }).waitFor();

    await fixture.account.asAdmin('delete', `/api/topics/${topic.id}`).expect(200);
    await visitor.open(`/messages/${id}`);
    await visitor.page.getByText('Deleted topic').waitFor();
    await visitor.open(`/topics/${topic.id}`);
    await visitor.page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it('are read only for members', async () => {
    await fixture.account.asAdmin('post', '/api/topics').send({ name: 'News' }).expect(201);
    const { page } = await fixture.visit('member', '/topics');
    await page.getByRole('row', { name: /News/ }).waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /topic|Edit|Delete/ })
        .count(),
    ).toBe(0);
  });
});
