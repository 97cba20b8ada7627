import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { consentsOf, recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

describe('A campaign with a topic', () => {
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
  const record = (name: string, fields: object) =>
    recordConsent(account, { email: `${name}@example.com`, ...fields }).expect(201);
  const withdraw = (name: string, fields: object = { topicId }) => record(name, { action: 'withdrawn', ...fields });
  const audienceOf = async (id: string) =>
    (await account.asMember('get', `/api/campaigns/${id}/audience`).expect(200)).body;
  const requireConsent = () =>
    account
      .asAdmin('patch', '/api/settings')
      .send({ consent: { requiredFor: 'campaigns' } })
      .expect(200);

  it('leaves out who is out of it, and says so', async () => {
    await withdraw('ada');
    await withdraw('bob', {});
    await withdraw('cyd', {});
    await record('cyd', { topicId });
    const { id, topicId: shown } = await create();
    expect(shown).toBe(topicId);
    expect(await audienceOf(id)).toEqual({ active: 2, suppressed: 0, withoutConsent: 0, outOfTopic: 2 });
    await fixture.act(id, 'start').expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toEqual({
      ...{ recipients: 4, waiting: 0, accepted: 2 },
      skipped: { suppressed: 0, no_consent: 0, out_of_topic: 2, deleted: 0, failed: 0 },
    });
    const reasons = (await fixture.recipients(id)).items.map(({ email, reason }) => `${email} ${reason}`);
    expect(reasons.toSorted()).toEqual([
      'ada@example.com out_of_topic',
      'bob@example.com out_of_topic',
      'cyd@example.com null',
      'dan@example.com null',
    ]);
    const { body } = await account.asMember('get', '/api/messages/aggregate').query({ topicId, campaignId: id });
    expect(body).toMatchObject({ total: 2 });
    const { body: page } = await account.asMember('get', '/api/messages').query({ topicId });
    expect(page.items).toMatchObject([{ topicId }, { topicId }]);
  });

  it('is left with one click by a recipient who still gets mail without a topic at once, and the ledger tells it all', async () => {
    const html = '<a href="{{unsubscribeUrl}}">Unsubscribe</a> <a href="{{preferencesUrl}}">Choose</a>';
    const { id } = await create({ html });
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'completed');
    const mailTo = (email: string, subject: string) =>
      waitFor(`${subject} to ${email}`, () =>
        relay.received().find(({ envelope, parsed }) => envelope.to.includes(email) && parsed.subject === subject),
      );
    const mails = [];
    for (const name of ['ada', 'bob', 'cyd', 'dan']) mails.push(await mailTo(`${name}@example.com`, 'News'));
    const { parsed, raw } = mails[0]!;
    const links = [...String(parsed.html).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    expect(new Set(links).size).toBe(1);
    expect(raw.replaceAll('\r\n ', ' ')).toContain(`List-Unsubscribe: <${links[0]!}>`);
    const { pathname } = new URL(links[0]!);
    await first.service.request('get', pathname).expect(200);
    await first.service.request('post', pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);

    const key = await account.createKey();
    const send = (to: string, fields: object = {}) =>
      postEmail(first.service, key.secret, {
        ...{ to, fromEmail: 'hello@example.org', subject: 'Password', text: 'Reset it', ...fields },
      });
    await send('ada@example.com').expect(201);
    await mailTo('ada@example.com', 'Password');
    await send('ada@example.com', { topicId }).expect(
      400,
      badRequest('ada@example.com has unsubscribed from Newsletter', 'unsubscribed_from_topic'),
    );
    await send('bob@example.com', { topicId }).expect(201);
    await mailTo('bob@example.com', 'Password');

    const { body: all } = await account.asMember('get', '/api/messages/aggregate').query({ topicId }).expect(200);
    expect(all).toMatchObject({ total: 5 });
    const { id: next } = await create();
    expect(await audienceOf(next)).toEqual({ active: 3, suppressed: 0, withoutConsent: 0, outOfTopic: 1 });
    const [toAda] = await first.service.query<{ id: string }>(
      'SELECT id FROM message_logs WHERE account_id = $1 AND campaign_id = $2 AND recipient = $3',
      [account.id, id, 'ada@example.com'],
    );
    const { body: contacts } = await account.asMember('get', '/api/contacts').query({ search: 'ada@' }).expect(200);
    const ledger = await consentsOf(account);
    expect(ledger).toMatchObject([
      {
        ...{ address: 'ada@example.com', contactId: contacts.items[0].id, action: 'withdrawn', source: 'one_click' },
        ...{ topicId, messageLogId: toAda!.id, actor: { type: 'person' } },
      },
    ]);
    expect(ledger).toHaveLength(1);
    expect(contacts.items[0].status).toBe('active');
  });

  it('leaves out who had left it, was erased, and is imported again, and counts them so', async () => {
    await withdraw('ada');
    const { body: found } = await account.asMember('get', '/api/contacts').query({ search: 'ada@' }).expect(200);
    await account.asAdmin('post', `/api/contacts/${found.items[0].id}/erase`).expect(200);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    const contacts = [{ email: 'ada@example.com', listIds: [listId] }];
    await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
    const { id } = await create();
    expect(await audienceOf(id)).toEqual({ active: 3, suppressed: 0, withoutConsent: 0, outOfTopic: 1 });
    await fixture.act(id, 'start').expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toMatchObject({ accepted: 3, skipped: { out_of_topic: 1 } });
  });

  it('counts once, as unsubscribed by it, who leaves its topic or everything by its mail', async () => {
    const html = '<a href="{{unsubscribeUrl}}">Unsubscribe</a>';
    const { id } = await create({ html });
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'completed');
    const linkTo = async (name: string) => {
      const mail = await waitFor(`the mail to ${name}`, () =>
        relay.received().find(({ envelope }) => envelope.to.includes(`${name}@example.com`)),
      );
      return new URL(/href="([^"]+)"/.exec(String(mail.parsed.html))![1]!).pathname;
    };
    const post = async (name: string, body: string) =>
      first.service
        .request('post', await linkTo(name))
        .type('form')
        .send(body)
        .expect(200);
    const unsubscribed = async () => (await fixture.get(id)).stats.unsubscribed;
    await post('ada', 'List-Unsubscribe=One-Click');
    await post('ada', 'List-Unsubscribe=One-Click');
    expect(await unsubscribed()).toBe(1);
    await post('bob', `action=save&shown=${topicId}.in`);
    expect(await unsubscribed()).toBe(2);
    await post('cyd', 'action=everything');
    await post('ada', 'action=everything');
    expect(await unsubscribed()).toBe(3);
    const { body: found } = await account.asMember('get', '/api/contacts').query({ search: 'ada@' }).expect(200);
    await account.asAdmin('post', `/api/contacts/${found.items[0].id}/erase`).expect(200);
    expect(await unsubscribed()).toBe(3);
    const { id: other } = await create();
    expect((await fixture.get(other)).stats.unsubscribed).toBe(0);
  });

  it('asks for the consent to its topic where consent is required', async () => {
    await requireConsent();
    const otherId = (await addTopic(account, { name: 'Offers' })).id;
    await record('ada', { topicId });
    await record('bob', { topicId: otherId });
    await record('cyd', {});
    await withdraw('dan');
    const { id } = await create();
    expect(await audienceOf(id)).toEqual({ active: 2, suppressed: 0, withoutConsent: 1, outOfTopic: 1 });
    await fixture.act(id, 'start').expect(200);
    const { progress } = await fixture.untilStatus(id, 'completed');
    expect(progress).toMatchObject({ accepted: 2, skipped: { no_consent: 1, out_of_topic: 1 } });
  });

  it('goes to nobody but subscribers of a topic that everybody is out of by default', async () => {
    const rare = (await addTopic(account, { name: 'Rare', byDefault: 'out' })).id;
    await record('ada', { topicId: rare });
    const { id } = await create({ topicId: rare });
    expect(await audienceOf(id)).toMatchObject({ active: 1, outOfTopic: 3 });
    const lonely = await addTopic(account, { name: 'Lonely', byDefault: 'out' });
    const { id: nobody } = await create({ topicId: lonely.id });
    await fixture.act(nobody, 'start').expect(400, badRequest('audience has no recipients'));
  });

  it('loses who leaves its topic, and nothing else does', async () => {
    const { id: first } = await create();
    await fixture.act(first, 'start').expect(200);
    await fixture.untilStatus(first, 'completed');
    await withdraw('ada');
    const { secret } = await account.createKey();
    const sent = await sendEmail(fixture.service, secret, {
      to: 'ada@example.com',
      fromEmail: 'hello@example.org',
      text: 'Your code',
    });
    const { id: second } = await create({ name: 'More news' });
    await fixture.act(second, 'start').expect(200);
    await fixture.untilStatus(second, 'completed');
    const mails = () => relay.received().map(({ envelope }) => envelope.to[0]);
    await waitFor('all mails', () => mails().length === 8);
    expect(mails().filter((to) => to === 'ada@example.com')).toHaveLength(2);
    const { body: message } = await account.asMember('get', `/api/messages/${sent}`).expect(200);
    expect(message).toMatchObject({ topicId: null, status: 'sent' });
    const { body: totals } = await account.asMember('get', '/api/messages/aggregate').query({ topicId });
    expect(totals).toMatchObject({ total: 7, status: { sent: 7 } });
    const history = await consentsOf(account, { email: 'ada@example.com' });
    expect(history).toMatchObject([{ action: 'withdrawn', topicId, source: 'dashboard' }]);
    const { body: suppressions } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(suppressions.items).toEqual([]);
  });

  it('keeps from who leaves it even what a worker of the release before has fed without it', async () => {
    relay.answer = (stage) => (stage === 'rcpt' ? { code: 451, message: '4.7.1 Try again later' } : undefined);
    const { id } = await create();
    await fixture.act(id, 'start').expect(200);
    await waitFor('postponed messages', async () => {
      const rows = await fixture.service.query(
        'SELECT FROM pending_deliveries WHERE campaign_id = $1 AND next_attempt_at > now()',
        [id],
      );
      return rows.length === 4;
    });
    await fixture.service.query('UPDATE message_logs SET topic_id = NULL WHERE campaign_id = $1', [id]);
    await withdraw('ada');
    relay.answer = () => undefined;
    await fixture.service.query(
      `UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity' WHERE campaign_id = $1`,
      [id],
    );
    await fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
    const { stats } = await fixture.untilStatus(id, 'completed');
    expect(stats.status).toMatchObject({ sent: 3, suppressed: 1 });
    const { items } = await fixture.recipients(id);
    const { messageLogId } = items.find(({ email }) => email === 'ada@example.com')!;
    const { body } = await account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
    expect(body.error).toBe('ada@example.com has unsubscribed from Newsletter');
  });
});
