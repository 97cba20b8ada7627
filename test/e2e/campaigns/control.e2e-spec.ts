import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RunCampaign } from '../../../src/modules/campaigns/application/run-campaign.service.js';
import { SweepCampaigns } from '../../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { CampaignFixture, LINK } from '../../support/campaign-fixture.js';
import { errorBody } from '../../support/errors.js';
import { FakeCampaignMessages } from '../../support/fake-campaign-messages.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

/** The process does not stop. */
const NEVER = new AbortController().signal;

describe('POST /api/campaigns/:id/start, pause, resume and cancel', () => {
  let fixture: CampaignFixture;
  let messages: FakeCampaignMessages;
  let listId: string;
  let second: TestService;

  beforeAll(async () => {
    const secret = { APP_SECRET: randomBytes(32).toString('hex') };
    fixture = await CampaignFixture.start(secret);
    second = await TestService.start(secret, fixture.service.database);
    listId = await fixture.addListOf(60);
  });
  beforeEach(async () => {
    messages = FakeCampaignMessages.in(fixture.service, second);
    await fixture.service.query(`UPDATE campaigns SET status = 'canceled', claim_id = NULL WHERE status = 'running'`);
  });
  afterAll(async () => {
    await second.stop();
    await fixture.stop();
  });

  const refused = (message: string) => errorBody(400, message);
  const impossible = (status: string) => errorBody(409, `Campaign is ${status}`);
  const audience = () => ({ listIds: [listId] });
  const sweep = () => fixture.service.app.get(SweepCampaigns, { strict: false }).sweep();
  const inMs = (ms: number) => new Date(fixture.service.clock.now().getTime() + ms).toISOString();
  /** So slow that it does not end during a test. */
  const createSlow = (fields: object = {}) => fixture.create({ audience: audience(), maxPerMinute: 1, ...fields });
  const startSlow = async () => {
    const { id } = await createSlow();
    await fixture.act(id, 'start').expect(200);
    return id as string;
  };

  it('goes through its states, and returns the same answer to a repeated call', async () => {
    const { id } = await createSlow();
    for (const action of ['pause', 'resume', 'cancel', 'retry-failed'])
      await fixture.act(id, action).expect(409, impossible('draft'));
    for (const [action, status] of [
      ['start', 'running'],
      ['pause', 'paused'],
      ['resume', 'running'],
      ['pause', 'paused'],
      ['cancel', 'canceled'],
    ]) {
      const { body } = await fixture.act(id, action!).expect(200);
      expect(body).toMatchObject({ status, pauseReason: status === 'paused' ? 'user' : null });
      const { body: again } = await fixture.act(id, action!).expect(200);
      expect(again).toMatchObject({ status, pauseReason: body.pauseReason, startedAt: body.startedAt });
    }
    for (const action of ['start', 'pause', 'resume', 'retry-failed'])
      await fixture.act(id, action).expect(409, impossible('canceled'));
    expect((await fixture.get(id)).endedAt).not.toBeNull();
  });

  it('refuses to start a paused campaign, and everything but a retry once it is completed', async () => {
    const paused = await startSlow();
    await fixture.act(paused, 'pause').expect(200);
    await fixture.act(paused, 'start').expect(409, impossible('paused'));
    const { id } = await fixture.create({ audience: audience() });
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'completed');
    for (const action of ['start', 'pause', 'resume', 'cancel'])
      await fixture.act(id, action).expect(409, impossible('completed'));
  });

  it.each([
    [{ audience: {} }, 'audience has no recipients'],
    [{ fromEmail: 'eve@example.com' }, 'eve@example.com is not verified for sending'],
    [{ html: '<p>Hi</p>' }, 'html must contain {{unsubscribeUrl}}'],
    [{ html: `{{#company}}${LINK}{{/company}}` }, 'html must contain {{unsubscribeUrl}}'],
    [{ html: `{{^company}}${LINK}{{/company}}` }, 'html must contain {{unsubscribeUrl}}'],
    [{ html: `<!-- ${LINK} -->` }, 'html must contain {{unsubscribeUrl}}'],
    [{ html: `<div style="display: none">${LINK}</div>` }, 'html must contain {{unsubscribeUrl}}'],
    [{ text: 'Hi' }, 'text must contain {{unsubscribeUrl}}'],
    [{ html: null, text: '{{! unsubscribeUrl }}' }, 'text must contain {{unsubscribeUrl}}'],
    [{ html: `${'<div>'.repeat(300)}${LINK}` }, 'html is nested more than 256 levels deep'],
  ])('refuses to start %j', async (fields, message) => {
    const { id } = await fixture.create({ audience: audience(), ...fields });
    await fixture.act(id, 'start').expect(400, refused(message));
    expect(await fixture.get(id)).toMatchObject({ status: 'draft', startedAt: null });
  });

  it('refuses to start one that takes too many steps to render for some contacts, all parts together', async () => {
    const variables = { items: Array.from({ length: 4_500 }, () => 1) };
    const rows = '{{#items}}{{a}}{{b}}{{/items}}'; // seven steps each
    const content = { html: `{{#company}}${rows}{{/company}}${LINK}`, text: `${rows}{{unsubscribeUrl}}`, variables };
    const { id } = await fixture.create({ audience: audience(), ...content });
    const { body } = await fixture.act(id, 'start').expect(400);
    expect(body.message).toMatch(/^subject, html and text take more than 50000 steps to render/);
    expect(await fixture.get(id)).toMatchObject({ status: 'draft', startedAt: null });
  });

  it('refuses an audience in which nobody is active, and a list that is gone', async () => {
    const list = await fixture.addList('suppressed only');
    const { id: contact } = await fixture.addContact('gone@example.com', { listIds: [list] });
    await fixture.account.asAdmin('patch', `/api/contacts/${contact}`).send({ status: 'unsubscribed' }).expect(200);
    const { id } = await fixture.create({ audience: { listIds: [list] } });
    await fixture.act(id, 'start').expect(400, refused('audience has no recipients'));
    await fixture.account.asAdmin('delete', `/api/lists/${list}`).expect(200);
    await fixture.act(id, 'start').expect(400, refused(`audience.listIds: there is no list ${list}`));
  });

  it('counts nobody for a tag that no contact has, and excludes nobody for one', async () => {
    const count = async (id: string) =>
      (await fixture.account.asMember('get', `/api/campaigns/${id}/audience`).expect(200)).body as object;
    const all = await count((await fixture.create({ audience: audience() })).id);
    const { id } = await fixture.create({ audience: { ...audience(), tags: ['unheard'], excludeTags: ['unheard'] } });
    expect(await count(id)).toEqual(all);
    const unheard = await fixture.create({ audience: { tags: ['unheard'] } });
    expect(await count(unheard.id)).toEqual({ active: 0, suppressed: 0, withoutConsent: 0, outOfTopic: 0 });
    await fixture.act(unheard.id, 'start').expect(400, refused('audience has no recipients'));
  });

  it('takes the content of its template, and keeps it when the template changes', async () => {
    const template = { name: 'News', subject: 'From the template', html: LINK, text: '{{{unsubscribeUrl}}}' };
    const { body } = await fixture.account.asAdmin('post', '/api/templates').send(template).expect(201);
    const scheduledAt = inMs(60_000);
    const { id } = await createSlow({
      ...{ templateId: body.id, subject: null, html: null, text: null, scheduledAt, variables: { a: [1] } },
    });
    await fixture.act(id, 'start').expect(200);
    await fixture.account.asAdmin('delete', `/api/templates/${body.id}`).expect(200);
    fixture.service.clock.advance({ minutes: 2 });
    await sweep();
    await fixture.untilStatus(id, 'running');
    const { subject, html, text } = template;
    expect(messages.frozen.get(id)).toEqual({ subject, html, text, variables: {} });
  });

  describe('with a schedule', () => {
    it('waits for its time', async () => {
      const { id } = await createSlow({ scheduledAt: inMs(3_600_000) });
      const { body } = await fixture.act(id, 'start').expect(200);
      expect(body).toMatchObject({ status: 'scheduled', startedAt: null });
      await fixture.act(id, 'start').expect(200, body);
      await fixture.act(id, 'pause').expect(409, impossible('scheduled'));
      await sweep();
      expect((await fixture.get(id)).status).toBe('scheduled');
      fixture.service.clock.advance({ minutes: 61 });
      await sweep();
      expect(await fixture.get(id)).toMatchObject({ status: 'running', startedAt: expect.any(String) });
    });

    it('can be changed, unscheduled and canceled', async () => {
      const { id } = await createSlow({ scheduledAt: inMs(3_600_000) });
      await fixture.act(id, 'start').expect(200);
      const change = (body: object) => fixture.account.asAdmin('patch', `/api/campaigns/${id}`).send(body);
      await change({ html: 'Hi' }).expect(400, refused('html must contain {{unsubscribeUrl}}'));
      const later = inMs(7_200_000);
      expect((await change({ name: 'Later', scheduledAt: later }).expect(200)).body).toMatchObject({
        ...{ status: 'scheduled', name: 'Later', scheduledAt: later },
      });
      expect((await change({ scheduledAt: null }).expect(200)).body).toMatchObject({ status: 'draft' });
      await change({ scheduledAt: later }).expect(200);
      await fixture.act(id, 'start').expect(200);
      expect((await fixture.act(id, 'cancel').expect(200)).body).toMatchObject({ status: 'canceled' });
      fixture.service.clock.advance({ hours: 3 });
      await sweep();
      expect((await fixture.get(id)).status).toBe('canceled');
    });

    it('is paused, not sent late, if its start is missed by more than an hour', async () => {
      const { id } = await createSlow({ scheduledAt: inMs(60_000) });
      await fixture.act(id, 'start').expect(200);
      fixture.service.clock.advance({ minutes: 62 });
      await sweep();
      expect(await fixture.get(id)).toMatchObject({ status: 'paused', pauseReason: 'missed', startedAt: null });
      expect(messages.offered).toEqual([]);
      const { body } = await fixture.act(id, 'resume').expect(200);
      expect(body).toMatchObject({ status: 'running', startedAt: expect.any(String) });
      await waitFor('the first message', () => messages.forCampaign(id).length === 1);
      expect(messages.frozen.has(id)).toBe(true);
    });

    it('starts at once if its time has just passed, and not at all if it is long past', async () => {
      const { id } = await createSlow({ scheduledAt: inMs(1_000) });
      fixture.service.clock.advance({ minutes: 1 });
      expect((await fixture.act(id, 'start').expect(200)).body).toMatchObject({ status: 'running' });
      const late = await createSlow({ scheduledAt: inMs(1_000) });
      fixture.service.clock.advance({ minutes: 10 });
      await fixture.act(late.id, 'start').expect(400, refused('scheduledAt is in the past'));
    });
  });

  it('runs at most 10 campaigns of an account, under concurrent calls too', async () => {
    const drafts = await Promise.all(Array.from({ length: 12 }, () => createSlow()));
    const answers = await raceBehind(
      fixture.service,
      () => fixture.service.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [fixture.account.id]),
      drafts.slice(0, 3).map(
        ({ id }) =>
          () =>
            fixture.act(id, 'start'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const more = await Promise.all(drafts.slice(3).map(({ id }) => fixture.act(id, 'start')));
    expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 409, 409]);
    const message = '10 campaigns are running: wait for one of them';
    expect(more.find(({ status }) => status === 409)!.body).toEqual(errorBody(409, message));
    const waiting = drafts.slice(3).filter((_, i) => more[i]!.status === 409);
    await fixture.act(drafts[0].id, 'pause').expect(200);
    await fixture.act(waiting[0].id, 'start').expect(200);
    await fixture.act(drafts[0].id, 'resume').expect(409);
    expect((await fixture.get(drafts[0].id)).status).toBe('paused');
  });

  describe('called concurrently, in two processes', () => {
    /** The actions reach two processes alternately. */
    const race = (id: string, actions: string[]) =>
      raceBehind(
        fixture.service,
        () => fixture.service.query('SELECT id FROM campaigns WHERE id = $1 FOR UPDATE', [id]),
        actions.map((action, i) => () => {
          const process = i % 2 === 0 ? fixture.service : second;
          return process.request('post', `/api/campaigns/${id}/${action}`, fixture.account.adminToken);
        }),
      );

    it('starts once', async () => {
      const { id } = await createSlow();
      const answers = await race(id, ['start', 'start', 'start']);
      expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([200, 'running']));
      expect(new Set(answers.map(({ body }) => body.startedAt)).size).toBe(1);
    });

    it('gives each call the state of its moment', async () => {
      for (let round = 0; round < 3; round++) {
        const id = await startSlow();
        await waitFor('the first message', () => messages.forCampaign(id).length === 1);
        const answers = await race(id, ['pause', 'cancel', 'pause']);
        for (const { status, body } of answers)
          expect([
            [200, 'paused'],
            [200, 'canceled'],
            [409, undefined],
          ]).toContainEqual([status, body.status]);
        expect((await fixture.get(id)).status).toBe('canceled');
      }
    });

    it('offers nothing after a pause or a cancellation', async () => {
      const { id } = await fixture.create({ audience: audience(), maxPerMinute: 6_000 });
      await fixture.act(id, 'start').expect(200);
      await waitFor('the first message', () => messages.forCampaign(id).length > 0);
      await race(id, ['cancel', 'pause']);
      const offers = messages.offered.length;
      const run = fixture.service.app.get(RunCampaign, { strict: false });
      await run.run(fixture.account.id, id, NEVER);
      await waitFor('the feeder to stop', async () => {
        const [row] = await fixture.service.query<{ claim: string | null }>(
          'SELECT claim_id AS claim FROM campaigns WHERE id = $1',
          [id],
        );
        return row?.claim === null;
      });
      expect(messages.offered.length).toBeLessThanOrEqual(offers + 1);
    });

    it('has one feeder, however many workers are called', async () => {
      const { id } = await fixture.create({ audience: audience(), maxPerMinute: 3_000 });
      await fixture.act(id, 'start').expect(200);
      const run = fixture.service.app.get(RunCampaign, { strict: false });
      const other = second.app.get(RunCampaign, { strict: false });
      const workers = [run, other, run, other];
      await Promise.all(workers.map((one) => one.run(fixture.account.id, id, NEVER)));
      await fixture.untilStatus(id, 'completed');
      expect(messages.offered.flat()).toHaveLength(60);
      expect(messages.forCampaign(id)).toHaveLength(60);
    });
  });
});
