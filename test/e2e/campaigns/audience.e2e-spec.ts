import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CampaignFeed } from '../../../src/modules/campaigns/application/ports/campaign-feed.js';
import { SweepCampaigns } from '../../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { ContactAudience } from '../../../src/modules/contacts/index.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { errorBody } from '../../support/errors.js';
import { FakeCampaignMessages } from '../../support/fake-campaign-messages.js';
import { expireLeases } from '../../support/expire-leases.js';
import { waitFor } from '../../support/wait-for.js';

describe('The audience of a campaign', () => {
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
  const deleteList = (id: string) => fixture.account.asAdmin('delete', `/api/lists/${id}`).expect(200);
  const contactsOf = (listId: string) =>
    fixture.service.query<{ id: string; email: string }>(
      'SELECT id, email FROM contacts WHERE $1 = ANY (list_ids) ORDER BY id',
      [listId],
    );
  const portionsOf = (id: string) =>
    fixture.service.query('SELECT FROM campaign_audience_portions WHERE campaign_id = $1', [id]);
  const written = (id: string) =>
    waitFor('the audience', async () => {
      const isComplete = (await portionsOf(id)).length === 0;
      const campaign = await fixture.get(id);
      return isComplete && campaign.progress.recipients > 0 && campaign;
    });

  /** Calls `meanwhile` before the next call of the method. */
  function before<Port extends object>(
    port: Port,
    method: keyof Port & string,
    meanwhile: () => Promise<unknown>,
  ): void {
    const original = port[method] as (...values: unknown[]) => Promise<unknown>;
    Object.assign(port, {
      [method]: async (...values: unknown[]) => {
        Object.assign(port, { [method]: original });
        await meanwhile();
        return original.apply(port, values);
      },
    });
  }
  const feed = () => fixture.service.app.get(CampaignFeed, { strict: false });
  const contacts = () => fixture.service.app.get(ContactAudience, { strict: false });

  it('loses nobody if its list is deleted and contacts change while it is written', async () => {
    const listId = await fixture.addListOf(10_100);
    const members = await contactsOf(listId);
    const [removed, erased, left, untagged] = members.slice(-4);
    const { id } = await fixture.create({ audience: { listIds: [listId] }, maxPerMinute: 1 });
    before(feed(), 'addRecipients', async () => {
      await fixture.account.asAdmin('patch', `/api/contacts/${left!.id}`).send({ listIds: [] }).expect(200);
      await fixture.account.asAdmin('delete', `/api/contacts/${removed!.id}`).expect(200);
      await fixture.account.asAdmin('post', `/api/contacts/${erased!.id}/erase`).expect(200);
      await deleteList(listId);
    });
    await fixture.act(id, 'start').expect(200);
    const { progress } = await written(id);
    expect(progress).toMatchObject({ recipients: 10_100, skipped: { suppressed: 0, deleted: 2, failed: 0 } });
    const rows = await fixture.service.query<{ contactId: string; email: string; reason: string | null }>(
      'SELECT contact_id AS "contactId", email, reason FROM campaign_recipients WHERE campaign_id = $1 ORDER BY contact_id',
      [id],
    );
    expect(rows.map(({ contactId }) => contactId)).toEqual(members.map((member) => member.id));
    expect(rows.slice(-4)).toEqual([
      { contactId: removed!.id, email: 'erased', reason: 'deleted' },
      { contactId: erased!.id, email: 'erased', reason: 'deleted' },
      { contactId: left!.id, email: left!.email, reason: null },
      { contactId: untagged!.id, email: untagged!.email, reason: null },
    ]);
    await fixture.act(id, 'cancel').expect(200);
  });

  it('stays the same if its worker is killed while it is written', async () => {
    const listId = await fixture.addListOf(5_200);
    const { id } = await fixture.create({ audience: { listIds: [listId] }, maxPerMinute: 1 });
    let steps = 0;
    const port = feed();
    const addRecipients = port.addRecipients.bind(port);
    Object.assign(port, {
      addRecipients: async (...values: Parameters<typeof addRecipients>) => {
        steps += 1;
        if (steps === 2) await deleteList(listId);
        if (steps === 2) throw new Error('killed');
        return addRecipients(...values);
      },
    });
    await fixture.act(id, 'start').expect(200);
    await waitFor('the crash', () => steps === 2);
    expect((await fixture.get(id)).progress.recipients).toBe(5_000);
    await waitFor('another worker', async () => {
      await expireLeases(fixture.service, 'campaigns');
      await sweep();
      return (await fixture.get(id)).progress.recipients === 5_200;
    });
    expect(await portionsOf(id)).toEqual([]);
    Object.assign(port, { addRecipients });
    await fixture.act(id, 'cancel').expect(200);
  });

  /** A campaign that was scheduled, and whose list was deleted before its start. */
  async function pausedBy(deleted: string, lists: object) {
    const scheduledAt = new Date(fixture.service.clock.now().getTime() + 60_000).toISOString();
    const audience = { listIds: [], tags: [], excludeListIds: [], excludeTags: [], ...lists };
    const { id } = await fixture.create({ audience, scheduledAt });
    await fixture.act(id, 'start').expect(200);
    await deleteList(deleted);
    fixture.service.clock.advance({ minutes: 2 });
    await sweep();
    const paused = await fixture.untilStatus(id, 'paused');
    expect(paused).toMatchObject({ pauseReason: 'list_deleted', progress: { recipients: 0 }, audience });
    expect(messages.forCampaign(id)).toEqual([]);
    return { id, audience };
  }

  it('is not sent to without a decision if one of its lists is deleted before the start', async () => {
    const [kept, deleted] = [await fixture.addListOf(3), await fixture.addListOf(2)];
    const { id, audience } = await pausedBy(deleted, { listIds: [kept, deleted] });
    const { body } = await fixture.act(id, 'resume').expect(200);
    expect(body).toMatchObject({ status: 'running', pauseReason: null, audience: { ...audience, listIds: [kept] } });
    expect((await fixture.untilStatus(id, 'completed')).progress).toMatchObject({ recipients: 3, accepted: 3 });
  });

  it('is not sent to at all without an excluded list', async () => {
    const [listId, excluded] = [await fixture.addListOf(3), await fixture.addList('excluded')];
    await fixture.addContact('reader@example.com', { listIds: [listId, excluded] });
    const { id } = await pausedBy(excluded, { listIds: [listId], excludeListIds: [excluded] });
    const { body } = await fixture.act(id, 'resume').expect(409);
    expect(body.message).toBe('An excluded list was deleted: cancel the campaign and start a copy');
    await fixture.act(id, 'cancel').expect(200);
    expect(messages.forCampaign(id)).toEqual([]);
  });

  it('cannot be resumed without its only list', async () => {
    const listId = await fixture.addListOf(3);
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    before(contacts(), 'listIds', () => deleteList(listId));
    await fixture.act(id, 'start').expect(200);
    expect(await fixture.untilStatus(id, 'paused')).toMatchObject({ pauseReason: 'list_deleted' });
    const message = 'audience has no recipients';
    await fixture.act(id, 'resume').expect(400, errorBody(400, message));
    expect((await fixture.get(id)).status).toBe('paused');
    await fixture.act(id, 'cancel').expect(200);
  });

  it('is removed with a campaign that is canceled while it is written', async () => {
    const { id } = await fixture.createFor(5_200, { maxPerMinute: 1 });
    before(feed(), 'addRecipients', () => fixture.act(id, 'cancel').expect(200));
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'canceled');
    await waitFor('the portions to be purged', async () => {
      await fixture.service.app.get(SweepCampaigns, { strict: false }).purge();
      return (await portionsOf(id)).length === 0;
    });
    expect((await fixture.get(id)).progress.recipients).toBe(0);
  });
});
