import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { StoreReply } from '../../../src/modules/provider-events/application/store-reply.service.js';
import { SuppressAddresses, UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';
import { raceBehind } from '../../support/race.js';
import { addTopic } from '../../support/topics.js';

const EMAIL = 'ada@example.org';
const NUMBER = '+14155550100';
const BROWSER = 'Browser/1.0';
const CLIENT = '192.0.2.10';
const COMPLAINT = sample<{ mail: { messageId: string } }>('ses/event-publishing-complaint-record.json');

describe('A withdrawal of consent', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    events.service.clock.reset();
    account = await events.openAccount();
  });

  const grant = (fields: object = { email: EMAIL }) => recordConsent(account, fields).expect(201);
  const withdrawals = (query: object = { email: EMAIL }) => consentsOf(account, { ...query, action: 'withdrawn' });
  const suppressions = async () =>
    (await account.asMember('get', '/api/suppressions').expect(200)).body.items as { id: string; reason: string }[];
  const unsubscribe = async (messageId: string, body = '') => {
    const links = events.service.app.get(UnsubscribeLinks, { strict: false });
    const path = new URL(links.linkTo({ accountId: account.id, messageId, email: EMAIL, topicId: null })).pathname;
    return events.service
      .request('post', path)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .set('User-Agent', BROWSER)
      .set('X-Forwarded-For', CLIENT)
      .send(body)
      .expect(200);
  };

  it.each([
    ['List-Unsubscribe=One-Click', 'one_click'],
    ['', 'preferences'],
  ])('is recorded with the unsubscription that posts "%s", once', async (body, source) => {
    const messageLogId = await events.addMessage(account, { recipient: EMAIL });
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    await grant();
    for (let posted = 1; posted <= 3; posted++) await unsubscribe(messageLogId, body);
    expect(await withdrawals()).toMatchObject([
      { source, messageLogId, contactId: contact.id, ip: CLIENT, userAgent: BROWSER, actor: { type: 'person' } },
    ]);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('is recorded of somebody whose address has bounced before', async () => {
    const messageId = await events.addMessage(account, { recipient: EMAIL });
    const cause = { accountId: account.id, channel: 'email', address: EMAIL, reason: 'bounced' } as const;
    await events.service.app.get(SuppressAddresses, { strict: false }).suppress([{ ...cause, source: 'provider' }]);
    await grant();
    await unsubscribe(messageId);
    expect(await suppressions()).toMatchObject([{ reason: 'bounced' }]);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('is recorded again with a new suppression: what was granted before that does not stand afterwards', async () => {
    const messageId = await events.addMessage(account, { recipient: EMAIL });
    await unsubscribe(messageId);
    const [{ id } = { id: '' }] = await suppressions();
    await account.asAdmin('delete', `/api/suppressions/${id}`).expect(200);
    events.service.clock.advance({ hours: 1 });
    const between = events.service.clock.now().toISOString();
    events.service.clock.advance({ hours: 1 });
    await unsubscribe(messageId);
    await grant({ email: EMAIL, occurredAt: between });
    expect(await withdrawals()).toHaveLength(2);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('is recorded again after an hour: what is imported from in between does not stand', async () => {
    const messageId = await events.addMessage(account, { recipient: EMAIL });
    await unsubscribe(messageId);
    events.service.clock.advance({ hours: 1 });
    const between = events.service.clock.now().toISOString();
    events.service.clock.advance({ hours: 1 });
    await unsubscribe(messageId);
    await unsubscribe(messageId);
    await grant({ email: EMAIL, occurredAt: between });
    expect(await withdrawals()).toHaveLength(2);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('is recorded once if the same is imported every day', async () => {
    for (let day = 1; day <= 3; day++) {
      const contacts = [{ email: EMAIL, status: 'unsubscribed' }];
      await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
      events.service.clock.advance({ days: 1 });
    }
    expect(await withdrawals()).toHaveLength(1);
  });

  it('is recorded again of somebody who has agreed again, also if the suppression has stayed', async () => {
    const messageId = await events.addMessage(account, { recipient: EMAIL });
    await unsubscribe(messageId);
    events.service.clock.advance({ seconds: 1 });
    await grant();
    await unsubscribe(messageId);
    expect(await withdrawals()).toHaveLength(2);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('takes back what was granted for one topic, too', async () => {
    const { id: topicId } = await addTopic(account);
    await grant({ email: EMAIL, topicId });
    await unsubscribe(await events.addMessage(account, { recipient: EMAIL }));
    const { body } = await account.asMember('get', '/api/consents/standing').query({ email: EMAIL }).expect(200);
    expect(body).toContainEqual(expect.objectContaining({ topicId, state: 'withdrawn' }));
  });

  it('outlives the suppression: deleting that grants nothing', async () => {
    await grant();
    await unsubscribe(await events.addMessage(account, { recipient: EMAIL }));
    const [entry] = await suppressions();
    await account.asAdmin('delete', `/api/suppressions/${entry!.id}`).expect(200);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
    expect(await consentsOf(account)).toHaveLength(2);
  });

  it('is recorded with a complaint that the provider reports', async () => {
    const messageLogId = await events.addMessage(account, { providerMessageId: COMPLAINT.mail.messageId });
    expect((await events.postSes(account, COMPLAINT)).status).toBe(200);
    const [withdrawal] = await withdrawals({});
    expect(withdrawal).toMatchObject({ source: 'provider', messageLogId, actor: { type: 'person', id: null } });
  });

  it('is recorded with a reply STOP', async () => {
    const times = { receivedAt: events.service.clock.now(), sentAt: null };
    const reply = { from: NUMBER, to: '+12125550101', body: 'STOP', providerMessageId: 'reply-1' };
    await events.service.app
      .get(StoreReply, { strict: false })
      .store(account.id, { ...reply, request: 'stop', previousProviderMessageId: null }, times, {
        ...{ wantsEvents: false, isOwnNumber: false, stopWords: [] },
      });
    expect(await withdrawals({ phone: NUMBER })).toMatchObject([{ source: 'sms', actor: { type: 'person' } }]);
    expect(await standingOf(account, { phone: NUMBER })).toBe('withdrawn');
  });

  it('is recorded with the status of a contact, of one that was unsubscribed before too', async () => {
    const { secret, id } = await account.createKey();
    const unsubscribeBy = (email: string) =>
      events.service.request('post', '/api/contacts').set('X-API-Key', secret).send({ email, status: 'unsubscribed' });
    await unsubscribeBy(EMAIL);
    await unsubscribeBy(EMAIL);
    expect(await withdrawals()).toMatchObject([{ source: 'api', actor: { type: 'key', id } }]);
    events.service.clock.advance({ seconds: 1 });
    await grant();
    await unsubscribeBy(EMAIL).expect(200);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
    const contact = await account.asAdmin('post', '/api/contacts').send({ email: 'bob@example.org' }).expect(201);
    await account.asAdmin('patch', `/api/contacts/${contact.body.id}`).send({ status: 'unsubscribed' }).expect(200);
    expect(await withdrawals({ email: 'bob@example.org' })).toMatchObject([
      { source: 'dashboard', contactId: contact.body.id, actor: { type: 'user', id: expect.any(String) } },
    ]);
  });

  it('is recorded with the entries of an uploaded list that say so, and with no others', async () => {
    const csv = 'email,reason\nada@example.org,unsubscribed\nbob@example.org,bounced\ncyd@example.org,manual\n';
    await account.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv).expect(200);
    expect(await consentsOf(account)).toMatchObject([
      { address: EMAIL, source: 'import', actor: { type: 'user', id: expect.any(String) } },
    ]);
  });

  it('commits together with the suppression, or not at all', async () => {
    const suppress = events.service.app.get(SuppressAddresses, { strict: false });
    const cause = { accountId: account.id, channel: 'email', address: EMAIL } as const;
    const rolledBack = events.service.database.run(async () => {
      await suppress.suppress([{ ...cause, reason: 'complained', source: 'provider' }]);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect([await suppressions(), await consentsOf(account)]).toEqual([[], []]);
  });

  it('stands if somebody unsubscribes while a user unsubscribes them', async () => {
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    await grant();
    const messageId = await events.addMessage(account, { recipient: EMAIL });
    const lock = () =>
      events.service.query('SELECT FROM standing_consents WHERE account_id = $1 FOR UPDATE', [account.id]);
    await raceBehind<unknown>(events.service, lock, [
      () => unsubscribe(messageId),
      async () => account.asAdmin('patch', `/api/contacts/${contact.id}`).send({ status: 'unsubscribed' }).expect(200),
    ]);
    expect((await withdrawals()).length).toBeGreaterThan(0);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });
});
