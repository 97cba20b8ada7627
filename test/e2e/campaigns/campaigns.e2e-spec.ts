import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepCampaigns } from '../../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { CampaignFixture, LINK } from '../../support/campaign-fixture.js';
import { errorBody } from '../../support/errors.js';
import { SmtpSink } from '../../support/smtp-sink.js';

const NO_SUCH_ID = 'c000000000000000000000000';

describe('Campaigns', () => {
  let fixture: CampaignFixture;
  let listId: string;

  beforeAll(async () => {
    fixture = await CampaignFixture.start();
    listId = await fixture.addListOf(3);
    await fixture.addContact('tagged@example.com', { tags: ['vip'] });
  });
  afterAll(() => fixture.stop());

  const refused = (message: string) => errorBody(400, message);
  const notFound = errorBody(404, 'Campaign not found');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const create = (body: object) => fixture.account.asAdmin('post', '/api/campaigns').send(body);
  const change = (id: string, body: object) => fixture.account.asAdmin('patch', `/api/campaigns/${id}`).send(body);

  it('creates a draft with all fields', async () => {
    const plan = {
      name: 'November newsletter',
      fromEmail: 'hello@example.org',
      fromName: 'Example',
      replyTo: 'support@example.org',
      subject: 'News for {{firstName}}',
      html: LINK,
      text: '{{unsubscribeUrl}}',
      templateId: null,
      topicId: null,
      variables: { month: 'November', items: [{ a: 1 }] },
      audience: { listIds: [listId], tags: ['vip'], excludeListIds: [], excludeTags: [] },
      maxPerMinute: 600,
    };
    const scheduledAt = new Date(fixture.service.clock.now().getTime() + 86_400_000);
    const offset = `${scheduledAt.toISOString().slice(0, -1)}-00:30`;
    const { body } = await create({ ...plan, scheduledAt: offset }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      ...plan,
      scheduledAt: new Date(scheduledAt.getTime() + 1_800_000).toISOString(),
      status: 'draft',
      pauseReason: null,
      waitingFor: null,
      progress: {
        recipients: 0,
        waiting: 0,
        accepted: 0,
        skipped: { suppressed: 0, no_consent: 0, out_of_topic: 0, deleted: 0, failed: 0 },
      },
      stats: {
        total: 0,
        status: {
          ...{ queued: 0, sending: 0, sent: 0, delivered: 0, bounced: 0 },
          ...{ complained: 0, failed: 0, suppressed: 0, canceled: 0 },
        },
        deliveries: { total: 0, reported: true },
        opens: { unique: 0, total: 0, reported: true },
        clicks: { unique: 0, total: 0, reported: true },
        unsubscribed: 0,
      },
      createdAt: time,
      startedAt: null,
      endedAt: null,
    });
    await fixture.account.asMember('get', `/api/campaigns/${body.id}`).expect(200, body);
  });

  it('needs a name, a sender and content only', async () => {
    const { body } = await create({ name: 'N', fromEmail: 'a@b.example', subject: 'S', text: 'T' }).expect(201);
    expect(body).toMatchObject({
      ...{ fromName: null, replyTo: null, html: null, templateId: null, variables: null, scheduledAt: null },
      ...{ maxPerMinute: null, audience: { listIds: [], tags: [], excludeListIds: [], excludeTags: [] } },
    });
  });

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  it.each([
    [{ name: undefined }, 'name must be a string'],
    [{ name: 'x'.repeat(101) }, 'name must be shorter than or equal to 100 characters'],
    [{ fromEmail: 'nobody' }, 'fromEmail must be an email address'],
    [{ replyTo: 'ä@example.com' }, 'replyTo must have only ASCII characters before the @'],
    [{ subject: null }, 'subject is required unless templateId is given'],
    [{ subject: 'a\nb' }, 'subject must not hold line breaks or control characters'],
    [{ html: '' }, 'html or text is required unless templateId is given'],
    [{ html: '{{#a}}' }, 'html: Unclosed section "a" at 6'],
    [{ templateId: NO_SUCH_ID }, 'templateId: template not found'],
    [{ variables: { unsubscribeUrl: 'https://example.com' } }, 'variables.unsubscribeUrl is set by the service'],
    [{ variables: { a: 'x'.repeat(100_000) } }, 'variables is longer than 100000 characters'],
    [{ audience: { listIds: [NO_SUCH_ID] } }, `audience.listIds: there is no list ${NO_SUCH_ID}`],
    [{ audience: { excludeListIds: [NO_SUCH_ID] } }, `audience.excludeListIds: there is no list ${NO_SUCH_ID}`],
    [{ audience: { lists: [] } }, 'audience.lists is not a known field'],
    [
      { audience: { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) } },
      'audience.tags must contain no more than 20 elements',
    ],
    [{ maxPerMinute: 0 }, 'maxPerMinute must not be less than 1'],
    [{ maxPerMinute: 60_001 }, 'maxPerMinute must not be greater than 60000'],
    [{ maxPerMinute: 1.5 }, 'maxPerMinute must be an integer number'],
    [{ scheduledAt: '2099-01-01' }, 'scheduledAt must be an ISO 8601 date-time with an offset'],
    [{ scheduledAt: '2099-01-01T00:00:00' }, 'scheduledAt must be an ISO 8601 date-time with an offset'],
    [{ scheduledAt: inDays(91) }, 'scheduledAt is more than 90 days ahead'],
    [{ scheduledAt: inDays(-1) }, 'scheduledAt is in the past'],
    [{ status: 'running' }, 'status is not a known field'],
  ])('refuses %j and stores nothing', async (fields, message) => {
    const count = async () => (await fixture.account.asMember('get', '/api/campaigns').expect(200)).body.total;
    const before = await count();
    await create({ ...fixture.plan(), ...fields }).expect(400, refused(message));
    expect(await count()).toBe(before);
    const draft = await fixture.create();
    if (!('name' in fields && fields.name === undefined)) await change(draft.id, fields).expect(400, refused(message));
    expect(await fixture.get(draft.id)).toEqual(draft);
    await fixture.account.asAdmin('delete', `/api/campaigns/${draft.id}`).expect(200, draft);
  });

  it('changes given fields of a draft, and clears with null', async () => {
    const draft = await fixture.create({ audience: { listIds: [listId] }, fromName: 'A', text: '{{unsubscribeUrl}}' });
    const { body } = await change(draft.id, { fromName: null, html: null, maxPerMinute: 5 }).expect(200);
    expect(body).toEqual({ ...draft, fromName: null, html: null, maxPerMinute: 5 });
    const { body: tagged } = await change(draft.id, { audience: { tags: ['vip'] } }).expect(200);
    expect(tagged.audience).toEqual({ listIds: [], tags: ['vip'], excludeListIds: [], excludeTags: [] });
    await change(draft.id, { name: null }).expect(400, refused('name must be a string'));
    await change(draft.id, {}).expect(200, tagged);
  });

  it('loses no concurrent change', async () => {
    const { id } = await fixture.create({ text: '{{unsubscribeUrl}}' });
    const answers = await Promise.all([change(id, { html: null }), change(id, { text: null })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('lists the newest first, by name and status', async () => {
    const first = await fixture.create({ name: 'Summer SALE' });
    const second = await fixture.create({ name: 'Winter sale' });
    const list = async (query: string) => {
      const { body } = await fixture.account.asMember('get', `/api/campaigns?${query}`).expect(200);
      return body;
    };
    expect(await list('search=sale')).toEqual({
      ...{ items: [second, first], total: 2, page: 1, pageSize: 25, totalPages: 1 },
    });
    expect((await list('search=sale&limit=1&page=2')).items).toEqual([first]);
    expect((await list('search=sale&status=draft,running')).total).toBe(2);
    expect((await list('search=sale&status=running')).items).toEqual([]);
    const message = 'status must be one or several of draft, scheduled, running, paused, completed, canceled';
    await fixture.account.asMember('get', '/api/campaigns?status=sent').expect(400, refused(message));
  });

  it('copies a campaign in any status as a draft without schedule', async () => {
    const fields = { audience: { listIds: [listId] }, variables: { a: 1 }, name: 'x'.repeat(100), maxPerMinute: 9 };
    const original = await fixture.create(fields);
    await fixture.act(original.id, 'start').expect(200);
    const { body } = await fixture.act(original.id, 'copy').expect(201);
    expect(body).toEqual({
      ...original,
      id: expect.not.stringMatching(original.id),
      name: `Copy of ${'x'.repeat(92)}`,
      createdAt: time,
    });
    await fixture.untilStatus(original.id, 'running');
  });

  it('deletes what is not under way, with its recipients', async () => {
    const { id } = await fixture.create({ audience: { listIds: [listId] }, maxPerMinute: 1 });
    await fixture.act(id, 'start').expect(200);
    const path = `/api/campaigns/${id}`;
    const conflict = (status: string) => errorBody(409, `Campaign is ${status}`);
    await fixture.account.asAdmin('delete', path).expect(409, conflict('running'));
    await change(id, { name: 'x' }).expect(409, conflict('running'));
    await fixture.act(id, 'pause').expect(200);
    await fixture.account.asAdmin('delete', path).expect(409, conflict('paused'));
    const { body } = await fixture.act(id, 'cancel').expect(200);
    await change(id, { name: 'x' }).expect(409, conflict('canceled'));
    await fixture.account.asAdmin('delete', path).expect(200, body);
    await fixture.account.asMember('get', path).expect(404, notFound);
    await fixture.account.asMember('get', `${path}/recipients`).expect(404, notFound);
    await fixture.service.app.get(SweepCampaigns, { strict: false }).purge();
    expect(await fixture.service.query('SELECT 1 FROM campaigns WHERE id = $1', [id])).toEqual([]);
    expect(await fixture.service.query('SELECT 1 FROM campaign_recipients WHERE campaign_id = $1', [id])).toEqual([]);
  });

  it('lets members only read', async () => {
    const { id } = await fixture.create();
    const forbidden = errorBody(403, 'This needs the role admin');
    for (const action of ['start', 'pause', 'resume', 'cancel', 'copy', 'retry-failed', 'test'])
      await fixture.account.asMember('post', `/api/campaigns/${id}/${action}`).expect(403, forbidden);
    await fixture.account
      .asMember('get', `/api/campaigns/${id}/audience`)
      .expect(200, { active: 0, suppressed: 0, withoutConsent: 0, outOfTopic: 0 });
    const { body } = await fixture.account.asMember('get', `/api/campaigns/${id}/recipients?cursor=x`).expect(400);
    expect(body.message).toBe('cursor must be the nextCursor of an earlier page');
  });
});

describe('POST /api/campaigns/:id/test', () => {
  let fixture: CampaignFixture;
  let relay: SmtpSink;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await CampaignFixture.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const refused = (message: string) => errorBody(400, message);
  const test = (id: string, to: string[]) => fixture.act(id, 'test').send({ to });

  it('refuses an address that is given twice, in any spelling', async () => {
    const { id } = await fixture.create();
    await test(id, ['ada@example.com', ' Ada@Example.com']).expect(
      400,
      refused('to must not contain an address twice'),
    );
    expect(relay.received()).toEqual([]);
  });

  it('sends to each address with the values of its contact', async () => {
    await fixture.addContact('ada@example.com', { firstName: 'Ada' });
    const { id } = await fixture.create({
      ...{ subject: '{{firstName}} {{month}}', variables: { month: 'May', firstName: 'reader' } },
    });
    const { body } = await test(id, ['Ada@example.com', 'bob@example.com']).expect(201);
    expect(body).toEqual({
      queued: 2,
      results: [
        { to: 'Ada@example.com', messageLogId: expect.any(String) },
        { to: 'bob@example.com', messageLogId: expect.any(String) },
      ],
    });
    const subjects = [];
    for (const { messageLogId } of body.results) {
      const { body: message } = await fixture.account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
      subjects.push(message.subject);
      expect(message.campaignId).toBeNull();
    }
    expect(subjects).toEqual(['Ada May', 'reader May']);
    expect((await fixture.account.asMember('get', '/api/usage').expect(200)).body).toMatchObject({ used: 2 });
  });

  it('sends to all addresses or to none if the daily cap has no room for all', async () => {
    const setCap = (body: object) => fixture.account.asAdmin('patch', '/api/settings').send(body).expect(200);
    const used = async () => (await fixture.account.asMember('get', '/api/usage').expect(200)).body.used as number;
    const before = await used();
    await setCap({ dailySendCap: before + 2 });
    const { id } = await fixture.create();
    await test(id, ['a@example.com', 'b@example.com', 'c@example.com']).expect(429);
    expect(await used()).toBe(before);
    await test(id, ['a@example.com', 'b@example.com']).expect(201);
    expect(await used()).toBe(before + 2);
    await setCap({ dailySendCap: 1_000 });
  });

  it('refuses what a send would be refused, before anything is sent', async () => {
    const suppression = { email: 'no@example.com' };
    await fixture.account.asAdmin('post', '/api/suppressions').send(suppression).expect(201);
    const { id } = await fixture.create();
    const total = async () => (await fixture.account.asMember('get', '/api/messages/aggregate').expect(200)).body.total;
    const before = await total();
    await test(id, ['yes@example.com', 'no@example.com']).expect(400, refused('no@example.com is suppressed'));
    await test(id, []).expect(400, refused('to must contain at least 1 elements'));
    await test(
      id,
      Array.from({ length: 6 }, (_, n) => `${n}@example.com`),
    ).expect(400, refused('to must contain no more than 5 elements'));
    await test(id, ['nobody']).expect(400, refused('each value in to must be an email address'));
    const unverified = await fixture.create({ fromEmail: 'eve@example.com' });
    const message = 'eve@example.com is not verified for sending';
    await test(unverified.id, ['yes@example.com']).expect(400, refused(message));
    expect(await total()).toBe(before);
  });
});
