import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { recordConsent } from '../../support/consents.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const USED = errorBody(409, 'The campaign News uses this topic');

describe('The topic of a campaign', () => {
  let relay: SmtpSink;
  let first: CampaignFixture;
  let fixture: CampaignFixture;
  let account: TestAccount;
  let topicId: string;
  let listId: string;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    first = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await first.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await first.service.createAccount({ dailySendCap: 1_000_000 });
    await account.verifySender('hello@example.org');
    fixture = CampaignFixture.forAccount(first.service, account);
    topicId = (await addTopic(account)).id;
    listId = await fixture.addList('readers');
    for (const name of ['ada', 'bob', 'cyd', 'dan'])
      await fixture.addContact(`${name}@example.com`, { listIds: [listId] });
  });

  const create = (fields: object = {}) => fixture.create({ audience: { listIds: [listId] }, topicId, ...fields });
  const remove = () => account.asAdmin('delete', `/api/topics/${topicId}`);

  it('is copied with it, and tested only on who is in it', async () => {
    await recordConsent(account, { email: 'ada@example.com', topicId, action: 'withdrawn' }).expect(201);
    const { id } = await create();
    const { body } = await fixture.act(id, 'copy').expect(201);
    expect(body.topicId).toBe(topicId);
    const refused = badRequest('ada@example.com has unsubscribed from Newsletter', 'unsubscribed_from_topic');
    const test = (to: string[]) => fixture.act(id, 'test').send({ to });
    await test(['bob@example.com', 'ada@example.com']).expect(400, refused);
    await test(['bob@example.com']).expect(201);
  });

  it('refuses a topic of another account, and clears its own', async () => {
    const other = await first.service.createAccount();
    const foreign = (await addTopic(other)).id;
    const fault = badRequest(`topicId: there is no topic ${foreign}`);
    await account
      .asAdmin('post', '/api/campaigns')
      .send(fixture.plan({ topicId: foreign }))
      .expect(400, fault);
    const { id } = await create();
    const patch = (changes: object) => account.asAdmin('patch', `/api/campaigns/${id}`).send(changes);
    await patch({ topicId: foreign }).expect(400, fault);
    expect((await patch({ topicId: null }).expect(200)).body.topicId).toBeNull();
  });

  it('filters the list, also once it was deleted, and finds nothing by a topic of another account', async () => {
    const { id } = await create();
    await create({ topicId: (await addTopic(account, { name: 'Offers' })).id });
    await create({ topicId: null });
    const other = await first.service.createAccount();
    const foreign = (await addTopic(other)).id;
    const list = (query: object, of = account) => of.asMember('get', '/api/campaigns').query(query);
    const found = async (query: object, of = account) => (await list(query, of).expect(200)).body;
    expect(await found({ topicId })).toMatchObject({ items: [{ id }], total: 1 });
    expect(await found({ topicId, status: 'draft', search: 'news' })).toMatchObject({ items: [{ id }], total: 1 });
    expect(await found({ topicId, status: 'running' })).toMatchObject({ items: [], total: 0 });
    expect(await found({ topicId: foreign })).toMatchObject({ items: [], total: 0 });
    expect(await found({ topicId }, other)).toMatchObject({ items: [], total: 0 });
    await list({ topicId: 'news' }).expect(400, badRequest('topicId must be the id of a topic'));
    await remove().expect(200);
    expect(await found({ topicId })).toMatchObject({ items: [{ id }], total: 1 });
  });

  it('keeps its topic while it is scheduled or under way, not before and after', async () => {
    const inAnHour = new Date(fixture.service.clock.now().getTime() + 3_600_000).toISOString();
    const { id } = await create({ scheduledAt: inAnHour });
    await fixture.act(id, 'start').expect(200);
    await remove().expect(409, USED);
    await fixture.act(id, 'cancel').expect(200);
    const { id: draft } = await create();
    await remove().expect(200);
    const fault = badRequest(`topicId: there is no topic ${topicId}`);
    await fixture.act(draft, 'start').expect(400, fault);
    expect(await fixture.get(draft)).toMatchObject({ status: 'draft', topicId });
  });

  it.each([
    ['is refused while it runs with messages that wait', 'running'],
    ['is refused while it is paused', 'paused'],
  ])('and its deletion: %s', async (_, status) => {
    relay.answer = (stage) => (stage === 'rcpt' ? { code: 451, message: '4.7.1 Try again later' } : undefined);
    const { id } = await create();
    await fixture.act(id, 'start').expect(200);
    await waitFor('accepted messages', async () => (await fixture.get(id)).progress.accepted === 4);
    if (status === 'paused') await fixture.act(id, 'pause').expect(200);
    await remove().expect(409, USED);
  });

  it('does not start with a topic whose deletion has begun before', async () => {
    const { id } = await create();
    const deleting = new Client(fixture.service.database.url);
    await deleting.connect();
    await deleting.query('BEGIN');
    await deleting.query('UPDATE topics SET deleted_at = now() WHERE id = $1', [topicId]);
    const starting = Promise.resolve(fixture.act(id, 'start'));
    await waitFor('the start to wait for the topic', async () => {
      const waiting = await fixture.service.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE OF t%'`,
      );
      return waiting.length > 0;
    });
    await deleting.query('COMMIT');
    await deleting.end();
    expect(await starting).toMatchObject({
      status: 400,
      body: badRequest(`topicId: there is no topic ${topicId}`),
    });
    expect((await fixture.get(id)).status).toBe('draft');
  });
});
