import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { newId } from '../../../src/shared/ids.js';
import { DAY_MS } from '../../../src/shared/utc.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { CampaignFixture, recipients, SENDER } from '../../support/campaign-messages-fixture.js';
import type { CampaignRecipient } from '../../../src/modules/sending/index.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { type ReceivedMail, SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = { fromEmail: SENDER, html: '<p>Thank you</p>' };

describe('Messages of a campaign', () => {
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let campaign: CampaignFixture;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey({ scopes: ['send', 'read_events'] });
    campaign = new CampaignFixture(service, account);
  });

  const get = async (path: string) => (await account.asAdmin('get', path).expect(200)).body;
  const final = () =>
    waitFor('no pending messages', async () => {
      const { due, postponed } = await campaign.messages.countPending(account.id, campaign.id);
      return due + postponed === 0;
    });
  const mailsOf = (all: readonly CampaignRecipient[]): ReceivedMail[] =>
    all.flatMap(({ messageId }) =>
      relay.received().filter(({ parsed }) => parsed.messageId === `<${messageId}@example.com>`),
    );
  const setCap = (settings: { dailySendCap: number; campaignCapShare?: number }) =>
    account.asAdmin('patch', '/api/settings').send(settings).expect(200);

  describe('that are accepted', () => {
    it('are rendered from the content of the campaign and delivered', async () => {
      await campaign.freeze({
        text: 'Dear {{firstName}} of {{city}}: {{unsubscribeUrl}}',
        variables: { city: 'Rome' },
      });
      const offered = recipients(2);
      expect(await campaign.accept(offered)).toEqual(['accepted', 'accepted']);
      await final();
      const { parsed, raw } = mailsOf(offered)[1]!;
      expect(parsed.subject).toBe('Hello Person 1');
      expect(parsed.from?.text).toBe('"News" <news@example.com>');
      const [, url] = /List-Unsubscribe: <([^>]+)>/.exec(raw.replaceAll(/\r\n[ \t]+/g, ' '))!;
      expect(parsed.html).toContain(`Dear Person 1, <a href="${url}">`);
      expect(parsed.text).toContain(`Dear Person 1 of Rome: ${url}`);
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    });

    it('store only the values that the content uses', async () => {
      await campaign.freeze();
      const [recipient] = recipients(1);
      await campaign.accept([recipient!]);
      const [stored] = await service.query(
        'SELECT html, text, placeholders FROM message_contents WHERE message_id = $1',
        [recipient!.messageId],
      );
      expect(stored).toEqual({ html: null, text: null, placeholders: { firstName: 'Person 0' } });
    });

    it('have the same content in the API as in the mail', async () => {
      await campaign.freeze();
      const [recipient] = recipients(1);
      await campaign.accept([recipient!]);
      await final();
      const content = await get(`/api/messages/${recipient!.messageId}/content`);
      expect(content).toEqual({
        isKept: true,
        html: (mailsOf([recipient!])[0]!.parsed.html as string).trim(),
        text: null,
        unsubscribeUrl: expect.stringMatching(/\/u\//),
      });
      await service.query('DELETE FROM message_contents WHERE message_id = $1', [recipient!.messageId]);
      expect((await get(`/api/messages/${recipient!.messageId}/content`)).isKept).toBe(false);
    });

    it('show the campaign to users, not to keys', async () => {
      await campaign.freeze();
      const [recipient] = recipients(1);
      await campaign.accept([recipient!]);
      const reference = { id: campaign.id, name: 'May news' };
      expect((await get('/api/messages')).items).toMatchObject([{ campaignId: campaign.id, campaign: reference }]);
      expect(await get(`/api/messages/${recipient!.messageId}`)).toMatchObject({ campaign: reference });
      const id = await sendEmail(service, key.secret, MAIL);
      const listed = (await service.request('get', '/api/messages').set('X-API-Key', key.secret).expect(200)).body;
      expect(listed.items).toEqual([expect.not.objectContaining({ campaign: expect.anything() })]);
      expect(listed.items[0]).toMatchObject({ id });
      expect(listed.items[0]).not.toHaveProperty('campaign');
    });

    it('are dated by their acceptance', async () => {
      await campaign.freeze();
      const acceptedAt = Math.floor(Date.now() / 1_000) * 1_000; // a Date header has no milliseconds
      const written = new Date(acceptedAt - 100 * DAY_MS);
      const [recipient] = recipients(1, { createdAt: written });
      expect(await campaign.accept([recipient!])).toEqual(['accepted']);
      await final();
      expect(mailsOf([recipient!])[0]!.parsed.date!.getTime()).toBeGreaterThanOrEqual(acceptedAt);
    });
  });

  it('are stored once, however often and by however many they are offered', async () => {
    await campaign.freeze();
    const offered = recipients(100);
    const results = await Promise.all([campaign.accept(offered), campaign.accept(offered), campaign.accept(offered)]);
    const outcomes = offered.map((_, i) => results.map((result) => result[i]).sort());
    expect(new Set(outcomes.map((each) => each.join()))).toEqual(new Set(['accepted,duplicate,duplicate']));
    expect(await campaign.accept(offered)).toEqual(Array(100).fill('duplicate'));
    await final();
    expect(mailsOf(offered)).toHaveLength(100);
    expect((await get('/api/usage')).used).toBe(100);
  });

  it('are not accepted for suppressed recipients, but remain duplicates', async () => {
    await campaign.freeze();
    const [first, second] = recipients(2);
    await campaign.accept([first!]);
    await account.asAdmin('post', '/api/suppressions').send({ email: 'R0@example.org' }).expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ email: 'r1@example.org' }).expect(201);
    expect(await campaign.accept([first!, second!])).toEqual(['duplicate', 'suppressed']);
  });

  it('are suppressed if the recipient unsubscribes before the submission', async () => {
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: '127.0.0.1', port: 1 } })
      .expect(200);
    await campaign.freeze();
    const [recipient] = recipients(1);
    await campaign.accept([recipient!]);
    await account.asAdmin('post', '/api/suppressions').send({ email: recipient!.email }).expect(201);
    await account.asAdmin('patch', '/api/settings').send({ smtp: null }).expect(200);
    await waitFor('the end', async () => {
      // Inside the loop: the first attempt may fail only now, and postpones the next one.
      await service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
      await service.app.get(SweepDeliveries, { strict: false }).sweep();
      return (await get(`/api/messages/${recipient!.messageId}`)).status === 'suppressed';
    });
    expect(mailsOf([recipient!])).toEqual([]);
  });

  describe('and the daily cap', () => {
    it('leave a share of it to other messages', async () => {
      await setCap({ dailySendCap: 20, campaignCapShare: 75 });
      await campaign.freeze();
      const offered = recipients(30);
      const outcomes = await campaign.accept(offered);
      expect(outcomes).toEqual([...Array(15).fill('accepted'), ...Array(15).fill('over_cap')]);
      for (let i = 0; i < 5; i++) await sendEmail(service, key.secret, MAIL);
      expect(await campaign.accept(offered.slice(14, 16))).toEqual(['duplicate', 'over_cap']);
      await setCap({ dailySendCap: 100_000_000, campaignCapShare: 100 });
      expect(await campaign.accept(offered.slice(15))).toEqual(Array(15).fill('accepted'));
    });

    it('are shared exactly by parallel campaigns and sends', async () => {
      await setCap({ dailySendCap: 100 });
      const campaigns = [campaign, new CampaignFixture(service, account)];
      for (const each of campaigns) await each.freeze();
      const outcomes = campaigns.map(async (each) => {
        const portions = Array.from({ length: 12 }, () => each.accept(recipients(10)));
        return (await Promise.all(portions)).flat();
      });
      const sends = Array.from({ length: 10 }, () => sendEmail(service, key.secret, MAIL));
      await Promise.all(sends);
      const accepted = (await Promise.all(outcomes)).flat().filter((outcome) => outcome === 'accepted').length;
      const { used } = await get('/api/usage');
      expect(used).toBe(accepted + 10);
      expect(accepted).toBeGreaterThanOrEqual(80);
      expect(accepted).toBeLessThanOrEqual(90);
    });

    it('can have any share from 1 to 100 percent', async () => {
      expect((await get('/api/settings')).campaignCapShare).toBe(90);
      for (const campaignCapShare of [0, 101, 1.5, '5', null])
        await account.asAdmin('patch', '/api/settings').send({ campaignCapShare }).expect(400);
    });
  });

  it('are counted with those who unsubscribed, and the webhook names the campaign', async () => {
    await campaign.freeze();
    const offered = recipients(3);
    await campaign.accept(offered);
    await final();
    const path = new URL(/href="([^"]+)"/.exec(mailsOf(offered)[2]!.parsed.html as string)![1]!).pathname;
    await service.request('post', path).type('form').send({ 'List-Unsubscribe': 'One-Click' }).expect(200);
    const totals = await campaign.messages.totals(account.id, campaign.id);
    expect(totals).toMatchObject({ total: 3, status: { sent: 3 }, unsubscribed: 1 });
    const [event] = await service.query<{ data: object }>('SELECT data FROM outbox_events WHERE account_id = $1', [
      account.id,
    ]);
    expect(event?.data).toMatchObject({ email: 'r2@example.org', source: 'one_click', campaignId: campaign.id });
  });

  it('that failed are found', async () => {
    relay.answer = (stage, _session, address) =>
      stage === 'rcpt' && address.startsWith('r1@') ? { code: 554, message: '5.7.1 no' } : undefined;
    await campaign.freeze();
    const offered = recipients(3);
    await campaign.accept(offered);
    await final();
    const failed = offered[1]!.messageId;
    const all = { afterId: '', upToId: offered[2]!.messageId };
    expect(await campaign.intake.findFailed(account.id, campaign.id, all, 10)).toEqual([failed]);
    const after = { ...all, afterId: failed };
    expect(await campaign.intake.findFailed(account.id, campaign.id, after, 10)).toEqual([]);
    const before = { ...all, upToId: offered[0]!.messageId };
    expect(await campaign.intake.findFailed(account.id, campaign.id, before, 10)).toEqual([]);
    expect(await campaign.intake.findFailed(newId(new Date()), campaign.id, all, 10)).toEqual([]);
  });

  it('fail with a reason if a value does not fit the subject', async () => {
    await campaign.freeze();
    const [long, broken] = recipients(2);
    const named = (each: typeof long, firstName: string) => ({ ...each!, placeholders: { firstName } });
    await campaign.accept([named(long, 'x'.repeat(2_000)), named(broken, 'Ada\r\nBcc: eve@example.org')]);
    await final();
    expect(await get(`/api/messages/${long!.messageId}`)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^subject is longer than/),
    });
    expect(mailsOf([broken!])[0]!.parsed.subject).toBe('Hello Ada Bcc: eve@example.org');
  });

  it('keep the content that was frozen first', async () => {
    await campaign.freeze({ subject: 'First' });
    await campaign.freeze({ subject: 'Second' });
    const [recipient] = recipients(1);
    await campaign.accept([recipient!]);
    expect((await get(`/api/messages/${recipient!.messageId}`)).subject).toBe('First');
    await expect(new CampaignFixture(service, account).accept([recipient!])).rejects.toThrow(/not kept/);
  });
});
