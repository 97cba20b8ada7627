import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepCampaigns } from '../../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { CampaignFixture, LINK } from '../../support/campaign-fixture.js';
import { errorBody } from '../../support/errors.js';
import { FakeCampaignMessages } from '../../support/fake-campaign-messages.js';
import { expireLeases } from '../../support/expire-leases.js';
import { waitFor } from '../../support/wait-for.js';

describe('A running campaign', () => {
  let fixture: CampaignFixture;
  let messages: FakeCampaignMessages;

  beforeAll(async () => {
    fixture = await CampaignFixture.start();
  });
  beforeEach(() => {
    messages = FakeCampaignMessages.in(fixture.service);
  });
  afterAll(() => fixture.stop());

  const sweep = () => fixture.service.app.get(SweepCampaigns, { strict: false }).sweep();

  it('sends to each contact of its lists and tags once, except the excluded ones', async () => {
    const [list, other, excluded] = [
      await fixture.addList('one'),
      await fixture.addList('two'),
      await fixture.addList('three'),
    ];
    const both = { listIds: [list, other], tags: ['vip'], firstName: 'Ada', lastName: 'Lovelace', company: 'AE' };
    await fixture.addContact('Both@example.com', both);
    await fixture.addContact('tagged@example.com', { tags: ['vip'] });
    await fixture.addContact('listed@example.com', { listIds: [other] });
    await fixture.addContact('excluded@example.com', { listIds: [list, excluded] });
    await fixture.addContact('pressed@example.com', { listIds: [list], tags: ['press'] });
    await fixture.addContact('gone@example.com', { listIds: [list], status: 'unsubscribed' });
    await fixture.addContact('stranger@example.com');
    const audience = { listIds: [list, other], tags: ['vip'], excludeListIds: [excluded], excludeTags: ['press'] };
    const variables = { now: { month: 'May' }, unused: 1 };
    const { id } = await fixture.create({ audience, variables, text: '{{now.month}} {{unsubscribeUrl}}' });
    const { body } = await fixture.account.asMember('get', `/api/campaigns/${id}/audience`).expect(200);
    expect(body).toEqual({ active: 3, suppressed: 1, withoutConsent: 0, outOfTopic: 0 });
    const started = await fixture.act(id, 'start').expect(200);
    expect(started.body).toMatchObject({ status: 'running', startedAt: expect.any(String), endedAt: null });

    const campaign = await fixture.untilStatus(id, 'completed');
    expect(campaign).toMatchObject({
      endedAt: expect.any(String),
      progress: {
        recipients: 4,
        waiting: 0,
        accepted: 3,
        skipped: { suppressed: 1, no_consent: 0, out_of_topic: 0, deleted: 0, failed: 0 },
      },
      stats: { total: 3, status: { delivered: 3 }, unsubscribed: 0 },
    });
    expect(messages.frozen.get(id)).toEqual({
      ...{
        subject: 'News',
        html: LINK,
        text: '{{now.month}} {{unsubscribeUrl}}',
        variables: { now: { month: 'May' } },
      },
    });
    expect(messages.forCampaign(id).map(({ email, placeholders }) => ({ email, placeholders }))).toEqual([
      {
        email: 'Both@example.com',
        placeholders: { email: 'Both@example.com', firstName: 'Ada', lastName: 'Lovelace', company: 'AE' },
      },
      { email: 'tagged@example.com', placeholders: { email: 'tagged@example.com' } },
      { email: 'listed@example.com', placeholders: { email: 'listed@example.com' } },
    ]);
    const { items } = await fixture.recipients(id);
    expect(items.map(({ email, outcome, reason }) => [email, outcome, reason])).toEqual([
      ['Both@example.com', 'accepted', null],
      ['tagged@example.com', 'accepted', null],
      ['listed@example.com', 'accepted', null],
      ['gone@example.com', 'skipped', 'suppressed'],
    ]);
    expect((await fixture.recipients(id, '?outcome=skipped')).items).toHaveLength(1);
    expect((await fixture.recipients(id, '?outcome=waiting')).items).toEqual([]);
    const first = await fixture.recipients(id, '?outcome=accepted&limit=2');
    const rest = await fixture.recipients(id, `?outcome=accepted&limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items]).toEqual(items.slice(0, 3));
    expect(rest.nextCursor).toBeNull();
  });

  it('skips contacts that are deleted or unsubscribe meanwhile, and recipients that acceptance refuses', async () => {
    const listId = await fixture.addList('leaving');
    const contacts = [];
    for (const name of ['stays', 'deleted', 'erased', 'unsubscribes', 'suppressed'])
      contacts.push(await fixture.addContact(`${name}@example.net`, { listIds: [listId] }));
    messages.suppressed.add('suppressed@example.net');
    const { id } = await fixture.create({ audience: { listIds: [listId] }, maxPerMinute: 61 });
    await fixture.act(id, 'start').expect(200);
    await waitFor('the first message', () => messages.forCampaign(id).length === 1);
    await fixture.account.asAdmin('delete', `/api/contacts/${contacts[1]!.id}`).expect(200);
    await fixture.account.asAdmin('post', `/api/contacts/${contacts[2]!.id}/erase`).expect(200);
    await fixture.account
      .asAdmin('patch', `/api/contacts/${contacts[3]!.id}`)
      .send({ status: 'unsubscribed' })
      .expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toEqual({
      ...{
        recipients: 5,
        waiting: 0,
        accepted: 1,
        skipped: { suppressed: 2, no_consent: 0, out_of_topic: 0, deleted: 2, failed: 0 },
      },
    });
    const { items } = await fixture.recipients(id);
    expect(items.map(({ email, outcome, reason }) => [email, outcome, reason])).toEqual([
      ['stays@example.net', 'accepted', null],
      ['deleted@example.net', 'skipped', 'deleted'],
      ['erased', 'skipped', 'deleted'],
      ['unsubscribes@example.net', 'skipped', 'suppressed'],
      ['suppressed@example.net', 'skipped', 'suppressed'],
    ]);
    const [accepted] = messages.forCampaign(id);
    expect(items.map(({ messageLogId }) => messageLogId)).toEqual([accepted!.messageId, null, null, null, null]);
  });

  it('offers the same ids again after a crash between acceptance and its record', async () => {
    const { id } = await fixture.createFor(120);
    messages.crashes = 2;
    await fixture.act(id, 'start').expect(200);
    const completed = await waitFor('the campaign to be completed', async () => {
      await expireLeases(fixture.service, 'campaigns');
      await sweep();
      const campaign = await fixture.get(id);
      return campaign.status === 'completed' && campaign;
    });
    expect(completed.progress).toMatchObject({ recipients: 120, accepted: 120 });
    expect(messages.forCampaign(id)).toHaveLength(120);
    expect(messages.offered[0]).toEqual(messages.offered[1]);
    expect(new Set(messages.forCampaign(id).map(({ email }) => email)).size).toBe(120);
  });

  it.each(['pause', 'cancel'])('finishes the portion that is being stored before a %s', async (action) => {
    const { id } = await fixture.createFor(120);
    const accept = messages.accept.bind(messages);
    let stopped: Promise<unknown> | undefined;
    messages.accept = async (...offer) => {
      const outcomes = await accept(...offer);
      stopped ??= fixture.act(id, action).expect(200).then();
      return outcomes;
    };
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, action === 'pause' ? 'paused' : 'canceled');
    await stopped;
    const stored = messages.forCampaign(id).length;
    expect(stored).toBeGreaterThan(0);
    expect((await fixture.get(id)).progress).toMatchObject({ accepted: stored, waiting: 120 - stored });
    const accepted = (await fixture.recipients(id, '?outcome=accepted&limit=100')).items;
    expect(accepted.map(({ messageLogId }) => messageLogId).sort()).toEqual([...messages.messages.keys()].sort());
    messages.accept = accept;
    if (action === 'cancel') return;
    await fixture.act(id, 'resume').expect(200);
    expect((await fixture.untilStatus(id, 'completed')).progress).toMatchObject({ accepted: 120, waiting: 0 });
    expect(messages.forCampaign(id)).toHaveLength(120);
  });

  it('waits at the daily cap and says so', async () => {
    const { id } = await fixture.createFor(20);
    messages.room = 7;
    await fixture.act(id, 'start').expect(200);
    const waiting = await waitFor('the campaign to wait', async () => {
      const campaign = await fixture.get(id);
      return campaign.waitingFor === 'daily_cap' && campaign;
    });
    expect(waiting).toMatchObject({ status: 'running', progress: { recipients: 20, accepted: 7, waiting: 13 } });
    messages.room = Infinity;
    const campaign = await fixture.untilStatus(id, 'completed');
    expect(campaign).toMatchObject({ waitingFor: null, progress: { accepted: 20 } });
    expect(messages.forCampaign(id)).toHaveLength(20);
  });

  it('stays a little ahead of the workers', async () => {
    const { id } = await fixture.createFor(300);
    messages.status = 'queued';
    await fixture.act(id, 'start').expect(200);
    await waitFor('the first portion', () => messages.forCampaign(id).length >= 5);
    await fixture.act(id, 'pause').expect(200);
    expect(messages.forCampaign(id).length).toBe(5);
    expect(await fixture.get(id)).toMatchObject({ status: 'paused', pauseReason: 'user' });
    const deliver = () => {
      messages.deliver(id);
    };
    deliver();
    await fixture.act(id, 'resume').expect(200);
    await waitFor('all to be delivered', async () => {
      deliver();
      return (await fixture.get(id)).status === 'completed';
    });
    expect(messages.forCampaign(id)).toHaveLength(300);
  });

  it('pauses when its sender is no longer verified, and resumes when it is', async () => {
    const { id } = await fixture.createFor(130, { maxPerMinute: 600 });
    await fixture.act(id, 'start').expect(200);
    await waitFor('the first messages', () => messages.forCampaign(id).length > 0);
    await fixture.service.query(`UPDATE senders SET status = 'pending'`);
    const paused = await fixture.untilStatus(id, 'paused');
    expect(paused.pauseReason).toBe('sender_unverified');
    const message = 'hello@example.org is not verified for sending';
    await fixture.act(id, 'resume').expect(400, errorBody(400, message));
    await fixture.account.verifySendersAgain();
    const { body } = await fixture.act(id, 'resume').expect(200);
    expect(body).toMatchObject({ status: 'running', pauseReason: null, startedAt: paused.startedAt });
    await fixture.act(id, 'cancel').expect(200);
  });

  it('goes on after its list was deleted', async () => {
    const listId = await fixture.addListOf(40);
    const { id } = await fixture.create({ audience: { listIds: [listId] }, maxPerMinute: 1_200 });
    await fixture.act(id, 'start').expect(200);
    await waitFor('the first message', () => messages.forCampaign(id).length > 0);
    await fixture.account.asAdmin('delete', `/api/lists/${listId}`).expect(200);
    expect((await fixture.untilStatus(id, 'completed')).progress).toMatchObject({ recipients: 40, accepted: 40 });
  });

  it('retries recipients whose message failed under new ids', async () => {
    const { id } = await fixture.createFor(5);
    messages.status = 'failed';
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'completed');
    const before = messages.forCampaign(id).map(({ messageId }) => messageId);
    messages.status = 'delivered';
    const { body } = await fixture.act(id, 'retry-failed').expect(200);
    expect(body).toMatchObject({ status: 'running', endedAt: null });
    const campaign = await fixture.untilStatus(id, 'completed');
    expect(campaign).toMatchObject({
      progress: { recipients: 5, accepted: 5, waiting: 0 },
      stats: { total: 10, status: { failed: 5, delivered: 5 } },
    });
    const { items } = await fixture.recipients(id);
    expect(items.filter(({ messageLogId }) => before.includes(messageLogId!))).toEqual([]);
    const again = await fixture.act(id, 'retry-failed').expect(200);
    expect(again.body).toEqual(campaign);
  });
});
