import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepCampaigns } from '../../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

/** The share of campaign mail in the ten connections to a relay. */
const BULK_CONNECTIONS = 8;

describe('The mail of a campaign', () => {
  let relay: SmtpSink;
  let fixture: CampaignFixture;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const receivedBy = () => relay.received().map(({ envelope }) => envelope.to[0]!);

  it('goes to each recipient once, with their values and an unsubscribe link, and is counted', async () => {
    const listId = await fixture.addListOf(300);
    await fixture.addContact('ada@example.com', { listIds: [listId], firstName: 'Ada' });
    const { id } = await fixture.create({
      audience: { listIds: [listId] },
      ...{ subject: 'News of {{month}} for {{firstName}}', variables: { month: 'May', firstName: 'you' } },
    });
    await fixture.act(id, 'start').expect(200);
    const campaign = await waitFor('the campaign to be completed', async () => {
      const current = await fixture.get(id);
      return current.status === 'completed' && current;
    });
    expect(campaign).toMatchObject({
      progress: { recipients: 301, waiting: 0, accepted: 301 },
      stats: { total: 301, status: { queued: 0, sending: 0, sent: 301 } },
    });
    expect(new Set(receivedBy()).size).toBe(301);
    expect(receivedBy()).toHaveLength(301);
    const toAda = relay.received().find(({ envelope }) => envelope.to[0] === 'ada@example.com')!;
    expect(toAda.parsed.subject).toBe('News of May for Ada');
    expect(toAda.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    const others = relay.received().filter((mail) => mail !== toAda);
    expect(new Set(others.map(({ parsed }) => parsed.subject))).toEqual(new Set(['News of May for you']));
  });

  it('goes on beside recipients whose domain asks for another attempt later', async () => {
    const listId = await fixture.addListOf(800, 'greylisting.example');
    await fixture.addListOf(400, 'example.com', listId);
    const before = relay.received().length;
    relay.answer = (stage, _session, address) =>
      stage === 'rcpt' && address.endsWith('@greylisting.example')
        ? { code: 451, message: '4.7.1 Try again later' }
        : undefined;
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    await fixture.act(id, 'start').expect(200);
    const waiting = await waitFor('the mail to the others', async () => {
      const campaign = await fixture.get(id);
      return campaign.stats.status.sent === 400 && campaign.progress.waiting === 0 && campaign;
    });
    expect(waiting).toMatchObject({ status: 'running', stats: { total: 1_200, status: { queued: 800, sent: 400 } } });

    await waitFor('the others to be postponed', async () => {
      const rows = await fixture.service.query('SELECT FROM pending_deliveries WHERE next_attempt_at > now()');
      return rows.length === 800;
    });
    relay.answer = () => undefined;
    await fixture.service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
    await fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
    await waitFor('all mail', () => relay.received().length === before + 1_200);
    expect(await fixture.untilStatus(id, 'completed')).toMatchObject({ stats: { status: { sent: 1_200 } } });
    expect(new Set(receivedBy().slice(before)).size).toBe(1_200);
  });

  describe('that is stopped while all connections are busy', () => {
    let started: string[];
    let busy: number;
    let open: () => void;

    /** Returns the campaign once many of its messages wait for a connection, with one submission on each. */
    async function runUntilBusy(): Promise<string> {
      let gate: Promise<undefined> | undefined;
      started = [];
      busy = 0;
      relay.answer = (stage, _session, address) => {
        if (stage === 'rcpt') started.push(address);
        if (stage !== 'data' || !gate) return undefined;
        busy += 1;
        return gate;
      };
      const { id } = await fixture.createFor(500, { subject: 'Stopped' });
      await fixture.act(id, 'start').expect(200);
      await waitFor('some mail', () => started.length > 50);
      gate = new Promise((resolve) => {
        open = () => {
          gate = undefined;
          resolve(undefined);
        };
      });
      await waitFor('a mail on every connection', () => busy === BULK_CONNECTIONS);
      await waitFor('messages that wait for one', async () => (await pendingOf(id)).length > BULK_CONNECTIONS);
      return id;
    }
    const pendingOf = (id: string, condition = 'true') =>
      fixture.service.query<{ id: string }>(
        `SELECT message_id AS id FROM pending_deliveries WHERE campaign_id = $1 AND ${condition}`,
        [id],
      );
    const sweep = () => fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
    /** Swept, too: no job has to be on the queue for each of them. */
    const untilNonePending = (id: string, condition: string) =>
      waitFor('the outcomes', async () => {
        await fixture.service.query(
          `UPDATE pending_deliveries SET sweep_at = '-infinity' WHERE campaign_id = $1 AND sweep_at < 'infinity'`,
          [id],
        );
        await sweep();
        return (await pendingOf(id, condition)).length === 0;
      });

    it('holds what is not at the relay when a pause is answered, and sends it after it is resumed', async () => {
      const id = await runUntilBusy();
      await fixture.act(id, 'pause').expect(200);
      const before = started.length;
      open();
      await untilNonePending(id, `sweep_at < 'infinity'`);
      expect(started).toHaveLength(before);
      const held = await pendingOf(id);
      expect(held.length).toBeGreaterThan(0);
      const { stats, progress } = await fixture.get(id);
      expect(stats.status).toMatchObject({ queued: held.length, sending: 0, sent: before, canceled: 0 });
      const lockers = () =>
        fixture.service.query(`SELECT xmax::text FROM pending_deliveries WHERE campaign_id = $1 ORDER BY message_id`, [
          id,
        ]);
      const lastLocked = await lockers();
      await sweep();
      expect(await lockers()).toEqual(lastLocked);
      expect(progress.accepted).toBe(before + held.length);

      await fixture.act(id, 'resume').expect(200);
      await sweep();
      expect(await fixture.untilStatus(id, 'completed')).toMatchObject({ stats: { status: { sent: 500 } } });
      expect(started).toHaveLength(500);
      expect(new Set(started).size).toBe(500);
    });

    it('cancels what is not at the relay when the cancellation is answered', async () => {
      const id = await runUntilBusy();
      await fixture.act(id, 'cancel').expect(200);
      const before = started.length;
      open();
      await untilNonePending(id, 'true');
      expect(started).toHaveLength(before);
      const { stats, progress } = await fixture.get(id);
      expect(stats.status).toMatchObject({ queued: 0, sending: 0, sent: before, canceled: progress.accepted - before });
      expect(stats.status.canceled).toBeGreaterThan(0);
    });

    it('sends nothing either if the campaign is deleted and purged meanwhile', async () => {
      const id = await runUntilBusy();
      await fixture.act(id, 'cancel').expect(200);
      await fixture.account.asAdmin('delete', `/api/campaigns/${id}`).expect(200);
      await fixture.service.app.get(SweepCampaigns, { strict: false }).purge();
      expect(await fixture.service.query('SELECT FROM campaigns WHERE id = $1', [id])).toEqual([]);
      const before = started.length;
      open();
      await untilNonePending(id, 'true');
      expect(started).toHaveLength(before);
    });

    it('cancels what a pause has held if it is canceled then', async () => {
      const id = await runUntilBusy();
      await fixture.act(id, 'pause').expect(200);
      open();
      await untilNonePending(id, `sweep_at < 'infinity'`);
      const held = await pendingOf(id);
      await fixture.act(id, 'cancel').expect(200);
      await untilNonePending(id, 'true');
      expect((await fixture.get(id)).stats.status.canceled).toBe(held.length);
      const { body } = await fixture.account.asMember('get', `/api/messages/${held[0]!.id}`).expect(200);
      expect(body).toMatchObject({ status: 'canceled', error: null, events: [{ type: 'canceled', data: {} }] });
    });
  });
});
