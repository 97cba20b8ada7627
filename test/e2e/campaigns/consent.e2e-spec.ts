import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const LATER = { code: 451, message: '4.7.1 Try again later' };

describe('Campaigns of an account that requires consent', () => {
  let relay: SmtpSink;
  let start: CampaignFixture;
  let fixture: CampaignFixture;
  let account: TestAccount;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    start = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await start.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await start.service.createAccount({ dailySendCap: 1_000_000 });
    await account.verifySender('hello@example.org');
    fixture = CampaignFixture.forAccount(start.service, account);
  });

  const requireConsent = (requiredFor = 'campaigns') =>
    account.asAdmin('patch', '/api/settings').send({ consent: { requiredFor } }).expect(200);
  const grant = (email: string, fields: object = {}) => recordConsent(account, { email, ...fields }).expect(201);
  const withdraw = (email: string) => grant(email, { action: 'withdrawn' });
  const receivedBy = () =>
    relay
      .received()
      .map(({ envelope }) => envelope.to[0]!)
      .toSorted();
  const audienceOf = async (id: string) =>
    (await account.asMember('get', `/api/campaigns/${id}/audience`).expect(200)).body;
  /** A list of contacts with these names. */
  const listOf = async (...names: string[]) => {
    const listId = await fixture.addList('readers', account);
    for (const name of names) await fixture.addContact(`${name}@example.com`, { listIds: [listId] }, account);
    return listId;
  };
  const retryNow = async () => {
    await fixture.service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
    await fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
  };

  it('requires none unless the settings say so', async () => {
    expect((await account.asMember('get', '/api/settings').expect(200)).body.consent).toEqual({ requiredFor: 'none' });
    const { id } = await fixture.create({ audience: { listIds: [await listOf('ada')] } });
    expect(await audienceOf(id)).toEqual({ active: 1, suppressed: 0, withoutConsent: 0, outOfTopic: 0 });
    const { body } = await requireConsent();
    expect(body.consent).toEqual({ requiredFor: 'campaigns' });
    expect(await audienceOf(id)).toEqual({ active: 0, suppressed: 0, withoutConsent: 1, outOfTopic: 0 });
    await account
      .asAdmin('patch', '/api/settings')
      .send({ consent: { requiredFor: 'all' } })
      .expect(400, badRequest('consent.requiredFor must be none or campaigns'));
    await account.asAdmin('patch', '/api/settings').send({ accountName: 'Acme' }).expect(200);
    expect((await account.asMember('get', '/api/settings').expect(200)).body.consent.requiredFor).toBe('campaigns');
  });

  it('go to those who have agreed to marketing, and skip the others with a reason', async () => {
    await requireConsent();
    const listId = await listOf('granted', 'none', 'withdrawn', 'tracking', 'suppressed');
    await grant('Granted@example.com');
    await grant('withdrawn@example.com');
    await withdraw('withdrawn@example.com');
    await grant('tracking@example.com', { purpose: 'tracking' });
    await grant('suppressed@example.com');
    await account.asAdmin('post', '/api/suppressions').send({ email: 'suppressed@example.com' }).expect(201);
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    expect(await audienceOf(id)).toEqual({ active: 1, suppressed: 1, withoutConsent: 3, outOfTopic: 0 });
    await fixture.act(id, 'start').expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toEqual({
      ...{ recipients: 5, waiting: 0, accepted: 1 },
      skipped: { suppressed: 1, no_consent: 3, out_of_topic: 0, deleted: 0, failed: 0 },
    });
    expect(receivedBy()).toEqual(['granted@example.com']);
    const { items } = await fixture.recipients(id, '?outcome=skipped');
    expect(items.map(({ email, reason }) => `${email} ${reason}`).toSorted()).toEqual([
      'none@example.com no_consent',
      'suppressed@example.com suppressed',
      'tracking@example.com no_consent',
      'withdrawn@example.com no_consent',
    ]);
  });

  it('do not start if nobody has agreed', async () => {
    await requireConsent();
    const { id } = await fixture.create({ audience: { listIds: [await listOf('ada')] } });
    await fixture.act(id, 'start').expect(400, badRequest('audience has no recipients'));
  });

  it('skip those who withdraw while the campaign runs, before their message is accepted', async () => {
    await requireConsent();
    const listId = await listOf('ada', 'bob');
    await grant('ada@example.com');
    await grant('bob@example.com');
    await account.asAdmin('patch', '/api/settings').send({ dailySendCap: 1 }).expect(200);
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    const key = await account.createKey();
    expect((await postEmail(fixture.service, key.secret, { fromEmail: 'hello@example.org', text: 'x' })).status).toBe(
      201,
    );
    await fixture.act(id, 'start').expect(200);
    await waitFor('the campaign to wait', async () => (await fixture.get(id)).waitingFor === 'daily_cap');
    await withdraw('bob@example.com');
    await account.asAdmin('patch', '/api/settings').send({ dailySendCap: 1_000_000 }).expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toMatchObject({ accepted: 1, skipped: { no_consent: 1 } });
  });

  it.each([
    ['withdraws', () => withdraw('ada@example.com')],
    ['never agreed when consent becomes required', () => requireConsent()],
  ])('send nothing to somebody who %s after the message was accepted, which says why', async (what, act) => {
    if (what === 'withdraws') await requireConsent();
    const listId = await listOf('ada', 'bob');
    if (what === 'withdraws') await grant('ada@example.com');
    await grant('bob@example.com');
    relay.answer = (stage) => (stage === 'rcpt' ? LATER : undefined);
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    await fixture.act(id, 'start').expect(200);
    await waitFor('postponed messages', async () => {
      const rows = await fixture.service.query(
        'SELECT FROM pending_deliveries WHERE campaign_id = $1 AND next_attempt_at > now()',
        [id],
      );
      return rows.length === 2;
    });
    await act();
    relay.answer = () => undefined;
    await retryNow();
    const { stats } = await fixture.untilStatus(id, 'completed');
    expect(stats.status).toMatchObject({ sent: 1, suppressed: 1 });
    expect(receivedBy()).toEqual(['bob@example.com']);
    const { items } = await fixture.recipients(id);
    const { messageLogId } = items.find(({ email }) => email === 'ada@example.com')!;
    const { body } = await account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
    expect(body).toMatchObject({ status: 'suppressed', error: 'ada@example.com has not consented to marketing' });
  });

  it('ask for it again when a message of theirs is resent, however often, at acceptance and before submission', async () => {
    await requireConsent();
    const ada = 'ada@example.com';
    const listId = await listOf('ada');
    await grant(ada);
    relay.answer = (stage) => (stage === 'rcpt' ? LATER : undefined);
    const postponed = (count: number) =>
      waitFor('postponed messages', async () => {
        const rows = await fixture.service.query(
          'SELECT FROM pending_deliveries WHERE account_id = $1 AND next_attempt_at > now()',
          [account.id],
        );
        return rows.length === count;
      });
    const show = async (id: string) => (await account.asMember('get', `/api/messages/${id}`).expect(200)).body;
    const resend = (id: string) => account.asAdmin('post', `/api/messages/${id}/resend`);
    const refusal = badRequest(`${ada} has not consented to marketing`, 'no_consent');
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    await fixture.act(id, 'start').expect(200);
    await postponed(1);
    let messageId = (await fixture.recipients(id)).items[0]!.messageLogId as string;
    for (let resent = 0; resent < 3; resent++) {
      await withdraw(ada);
      await retryNow();
      await waitFor('the suppressed message', async () => (await show(messageId)).status === 'suppressed');
      expect(await show(messageId)).toMatchObject({ error: `${ada} has not consented to marketing` });
      await resend(messageId).expect(400, refusal);
      await grant(ada);
      messageId = (await resend(messageId).expect(201)).body.messageLogId;
      await postponed(1);
    }
    relay.answer = () => undefined;
    await retryNow();
    await waitFor('the mail', async () => (await show(messageId)).status === 'sent');
    expect(receivedBy()).toEqual([ada]);
  });

  it('leave single messages alone, also when they are resent', async () => {
    await requireConsent();
    const key = await account.createKey();
    const message = { fromEmail: 'hello@example.org', to: 'ada@example.com', text: 'Your receipt' };
    const { body } = await postEmail(fixture.service, key.secret, message).expect(201);
    await waitFor('the mail', () => receivedBy().length === 1);
    await fixture.service.query(`UPDATE message_logs SET status = 'failed' WHERE id = $1`, [body.messageLogId]);
    await account.asAdmin('post', `/api/messages/${body.messageLogId}/resend`).expect(201);
    await waitFor('the second mail', () => receivedBy().length === 2);
  });

  it('show beforehand how many contacts of the account would be skipped', async () => {
    await listOf('ada', 'bob', 'cyd');
    await grant('ada@example.com');
    await withdraw('bob@example.com');
    const other = await start.service.createAccount();
    await recordConsent(other, { email: 'cyd@example.com' }).expect(201);
    const { body } = await account.asMember('get', '/api/contacts/consent-coverage').expect(200);
    expect(body).toEqual({ active: 1, withoutConsent: 2, outOfTopic: 0 });
  });
});
