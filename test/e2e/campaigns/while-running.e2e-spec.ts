import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import { DeliveryPauses } from '../../../src/modules/provider-settings/index.js';
import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { postEmail } from '../../support/send-email.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'hello@example.org';
const LATER = { code: 451, message: '4.7.1 Try again later' };

describe('While a campaign runs', () => {
  let relay: SmtpSink;
  let fixture: CampaignFixture;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url, CONTENT_RETENTION_DAYS: '30' });
  });
  beforeEach(() => {
    relay.reset();
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const receivedBy = () => relay.received().map(({ envelope }) => envelope.to[0]!);
  const setCap = (settings: object) => fixture.account.asAdmin('patch', '/api/settings').send(settings).expect(200);
  const pendingOf = async (id: string) => (await fixture.get(id)).stats.status.queued as number;
  const postponed = (id: string, count: number) =>
    waitFor('postponed messages', async () => {
      const rows = await fixture.service.query(
        `SELECT FROM pending_deliveries WHERE campaign_id = $1 AND next_attempt_at > now()`,
        [id],
      );
      return rows.length === count;
    });
  const retryNow = async () => {
    await fixture.service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
    await fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
  };

  describe('of another account', () => {
    let other: CampaignFixture;

    beforeEach(async () => {
      const account = await fixture.service.createAccount();
      await account.verifySender(SENDER);
      other = CampaignFixture.forAccount(fixture.service, account);
    });

    it('it waits for the provider while that refuses all mail of the account', async () => {
      const { id: accountId } = other.account;
      const pauses = fixture.service.app.get(DeliveryPauses, { strict: false });
      const until = new Date(Date.now() + 3_600_000);
      await pauses.begin(accountId, 'email', { reason: 'No credit', until, settingsAt: new Date() });
      const { id } = await other.createFor(2);
      await other.act(id, 'start').expect(200);
      await waitFor('the messages', async () => (await other.get(id)).progress.accepted === 2);
      expect((await other.get(id)).waitingFor).toBe('provider');
      const { body } = await other.account.asMember('get', '/api/campaigns?status=running').expect(200);
      expect(body.items).toMatchObject([{ id, waitingFor: 'provider' }]);
      await pauses.end(accountId, 'email');
      expect((await other.get(id)).waitingFor).toBeNull();
      await retryNow();
      await other.untilStatus(id, 'completed');
    });

    it('it uses its share of the daily cap, rounded up', async () => {
      const caps = { dailySendCap: 1, campaignCapShare: 50 };
      await other.account.asAdmin('patch', '/api/settings').send(caps).expect(200);
      const { id } = await other.createFor(3);
      await other.act(id, 'start').expect(200);
      await waitFor('it to wait', async () => (await other.get(id)).waitingFor === 'daily_cap');
      expect((await other.get(id)).progress.accepted).toBe(1);
      await other.act(id, 'cancel').expect(200);
    });
  });

  it('no single send is refused because of it, and it waits for room under the daily cap', async () => {
    await setCap({ dailySendCap: 60, campaignCapShare: 50 });
    const key = await fixture.account.createKey();
    const send = () => postEmail(fixture.service, key.secret, { fromEmail: SENDER, text: 'Your receipt' });
    const { id } = await fixture.createFor(100);
    await fixture.act(id, 'start').expect(200);
    const answers = await Promise.all(Array.from({ length: 30 }, () => send()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { progress } = await waitFor('the campaign to wait', async () => {
      const campaign = await fixture.get(id);
      return campaign.waitingFor === 'daily_cap' && campaign;
    });
    const accepted = progress.accepted as number;
    expect(accepted).toBeLessThanOrEqual(30);
    expect((await fixture.account.asMember('get', '/api/usage').expect(200)).body.used).toBe(30 + accepted);
    const more = await Promise.all(Array.from({ length: 40 }, () => send()));
    const room = 30 - accepted;
    expect(more.filter(({ status }) => status === 201)).toHaveLength(room);
    expect(more.filter(({ status }) => status === 429)).toHaveLength(40 - room);

    await setCap({ dailySendCap: 1_000_000 });
    const completed = await fixture.untilStatus(id, 'completed');
    expect(completed).toMatchObject({ waitingFor: null, progress: { accepted: 100 }, stats: { total: 100 } });
    const { body } = await fixture.account.asMember('get', '/api/usage').expect(200);
    expect(body.used).toBe(130 + room);
  });

  it('a contact who unsubscribes after its message was accepted gets no mail, and the message says why', async () => {
    relay.answer = (stage) => (stage === 'rcpt' ? LATER : undefined);
    const { id } = await fixture.createFor(2);
    await fixture.act(id, 'start').expect(200);
    await postponed(id, 2);
    const { items } = await fixture.recipients(id);
    const { contactId, messageLogId, email } = items[0]!;
    await fixture.account.asAdmin('patch', `/api/contacts/${contactId}`).send({ status: 'unsubscribed' }).expect(200);
    relay.answer = () => undefined;
    await retryNow();
    const { stats, progress } = await fixture.untilStatus(id, 'completed');
    expect(stats.status).toMatchObject({ sent: 1, suppressed: 1 });
    expect(progress).toMatchObject({ accepted: 2, skipped: { suppressed: 0 } });
    expect(receivedBy()).toEqual([items[1]!.email]);
    const { body } = await fixture.account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
    expect(body).toMatchObject({ status: 'suppressed', to: email, error: expect.stringContaining('suppressed') });
  });

  it('the erasure of a contact reaches messages that were accepted, sent or not', async () => {
    const listId = await fixture.addListOf(1, 'sent.example');
    await fixture.addListOf(1, 'later.example', listId);
    relay.answer = (stage, _session, address) =>
      stage === 'rcpt' && address.endsWith('@later.example') ? LATER : undefined;
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    await fixture.act(id, 'start').expect(200);
    await postponed(id, 1);
    await waitFor('the other mail', async () => (await pendingOf(id)) === 1);
    const { items } = await fixture.recipients(id);
    for (const { contactId } of items)
      await fixture.account.asAdmin('post', `/api/contacts/${contactId}/erase`).expect(200);
    relay.answer = () => undefined;
    await retryNow();
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toMatchObject({ recipients: 2, accepted: 2, waiting: 0 });
    expect(receivedBy()).toEqual([expect.stringMatching(/@sent\.example$/)]);
    expect((await fixture.recipients(id)).items.map(({ email, outcome }) => [email, outcome])).toEqual([
      ['erased', 'accepted'],
      ['erased', 'accepted'],
    ]);
    const kept = await fixture.service.query<{ row: string }>(
      `SELECT to_jsonb(m)::text AS row FROM message_logs m WHERE campaign_id = $1
       UNION ALL SELECT to_jsonb(c)::text FROM message_contents c JOIN message_logs m ON m.id = c.message_id AND m.campaign_id = $1
       UNION ALL SELECT to_jsonb(r)::text FROM campaign_recipients r WHERE campaign_id = $1`,
      [id],
    );
    for (const { row } of kept) expect(row).not.toMatch(/(sent|later)\.example/);
  });

  it('a pause may be longer than contents are kept', async () => {
    const { clock } = fixture.service;
    clock.freeze(); // one permit accrues, and no other before the pause
    const { id } = await fixture.createFor(6, { maxPerMinute: 60 });
    await fixture.act(id, 'start').expect(200);
    await waitFor('the first mail', () => relay.received().length > 0);
    await fixture.act(id, 'pause').expect(200);
    await waitFor('the end of what is pending', async () => {
      const { status } = (await fixture.get(id)).stats;
      return status.queued === 0 && status.sending === 0;
    });
    expect(relay.received()).toHaveLength(1);

    clock.unfreeze();
    clock.advance({ days: 70 });
    const retention = fixture.service.app.get(RetainMessages, { strict: false });
    await retention.ensurePartitions();
    await retention.purgeExpired();
    await fixture.act(id, 'resume').expect(200);
    expect(await fixture.untilStatus(id, 'completed')).toMatchObject({
      progress: { accepted: 6, waiting: 0 },
      stats: { total: 6, status: { sent: 6 } },
    });
    expect(new Set(receivedBy()).size).toBe(6);
    for (const { parsed } of relay.received()) expect(parsed.html).toContain('Unsubscribe</a>');
  });
});
