import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { insertMessages } from '../../support/message-rows.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';
import { KEYS, SIGN, type VendorPost } from '../../support/vendor-posts.js';

const run = promisify(execFile);
const NUMBER = '+14155550100';

describe('POST /api/provider-events/sms/:accountId, delivery receipts', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    account = await open();
  });

  async function open(eventSigningKey: string | null = KEYS.generic): Promise<TestAccount> {
    const opened = await events.service.createAccount();
    const sms = { enabled: true, region: 'us-east-1', eventSigningKey };
    await opened.asAdmin('patch', '/api/settings').send({ sms }).expect(200);
    return opened;
  }
  async function addMessage(providerMessageId: string, channel: 'email' | 'sms' = 'sms', owner = account) {
    const recipient = channel === 'sms' ? NUMBER : 'ada@example.org';
    const [id = ''] = await insertMessages(events.service, owner.id, [{ channel, recipient }]);
    await events.provide(id, providerMessageId);
    return id;
  }
  const urlOf = ({ id }: Pick<TestAccount, 'id'>) => `${events.service.url}/api/provider-events/sms/${id}`;
  async function postSigned({ body, headers }: VendorPost, to: Pick<TestAccount, 'id'> = account) {
    const response = await fetch(urlOf(to), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as object };
  }
  const post = (receipt: object, to?: Pick<TestAccount, 'id'>) => postSigned(SIGN.generic(receipt), to);
  const receipt = (name: string, messageId: string, delivery: object = {}) => {
    const logged = sample<{ notification: object; delivery: object }>(`sms/delivery-log-${name}.json`);
    return {
      ...logged,
      notification: { ...logged.notification, messageId },
      delivery: { ...logged.delivery, ...delivery },
    };
  };
  const OK = { status: 200, body: { stored: true } };

  it('records a delivery once', async () => {
    const id = await addMessage('m1');
    for (let posted = 0; posted < 2; posted++) expect(await post(receipt('success', 'm1'))).toEqual(OK);
    const { status, events: timeline } = await events.state(account, id);
    expect(status).toBe('delivered');
    expect(timeline).toMatchObject([
      {
        type: 'delivered',
        data: {
          providerResponse: 'Message has been accepted by phone carrier',
          phoneCarrier: 'My Phone Carrier',
          priceInUSD: 0.00645,
        },
      },
    ]);
    expect(await events.outbox(account)).toEqual([]);
    const totals = await account.asMember('get', '/api/messages/aggregate?channel=sms').expect(200);
    expect(totals.body).toMatchObject({ total: 1, status: { delivered: 1 } });
    const ofMails = await account.asMember('get', '/api/messages/aggregate?channel=email').expect(200);
    expect(ofMails.body.total).toBe(0);
  });

  it.each([
    ['failure', {}, 'failed', 'undelivered', undefined],
    ['failure', { providerResponse: 'Phone has blocked SMS' }, 'failed', 'undelivered', undefined],
    ['failure', { providerResponse: 'Invalid phone number' }, 'bounced', 'invalid_number', 'bounced'],
    ['opted-out', {}, 'failed', 'opted_out', 'sms_opt_out'],
  ])('records why a delivery failed: %s %j', async (name, delivery, status, reason, cause) => {
    const id = await addMessage('m1');
    for (let posted = 0; posted < 2; posted++) expect(await post([receipt(name, 'm1', delivery)])).toEqual(OK);
    const state = await events.state(account, id);
    expect(state).toMatchObject({ status, events: [{ type: status, data: { reason } }] });
    const suppression = { address: NUMBER, reason: cause, source: 'provider', messageLogId: id };
    expect(await events.suppressions(account)).toEqual(cause ? [suppression] : []);
    const emitted = { type: 'contact.suppressed', data: { phone: NUMBER, channel: 'sms', reason: cause } };
    expect(await events.outbox(account)).toMatchObject(cause ? [emitted] : []);
  });

  it('accepts the generic format as well', async () => {
    const id = await addMessage('m1');
    expect(await post({ id: 'e1', type: 'delivered', messageLogId: id, occurredAt: '2026-11-21T07:00:00Z' })).toEqual(
      OK,
    );
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered', events: [{ type: 'delivered' }] });
  });

  it('never moves a status back, in any order', async () => {
    const id = await addMessage('m1');
    await post([receipt('success', 'm1'), receipt('failure', 'm1')]);
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered', events: [{}, {}] });
  });

  it('affects only SMS of the account', async () => {
    const other = await open();
    const theirs = await addMessage('m1', 'sms', other);
    const mail = await addMessage('m2', 'email');
    const byOurId = {
      id: 'e',
      type: 'bounced',
      messageLogId: mail,
      occurredAt: '2026-11-21T07:00:00Z',
      data: { bounceType: 'hard' },
    };
    expect(await post([receipt('failure', 'm1'), receipt('failure', 'm2'), byOurId])).toEqual(OK);
    for (const [owner, id] of [[other, theirs] as const, [account, mail] as const])
      expect(await events.state(owner, id)).toMatchObject({ status: 'sent', events: [] });
    expect([...(await events.suppressions(account)), ...(await events.suppressions(other))]).toEqual([]);
    // And events at the mail provider's endpoint do not affect SMS.
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: 'relay.example', port: 25, eventSigningKey: KEYS.generic } })
      .expect(200);
    const id = await addMessage('m3');
    const { body, headers } = SIGN.generic({ ...byOurId, messageLogId: id });
    expect((await events.postSmtp(account, body, headers)).status).toBe(200);
    expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [] });
  });

  it('is matched if it arrives before the message is recorded as sent', async () => {
    const [id = ''] = await insertMessages(events.service, account.id, [{ channel: 'sms', recipient: NUMBER }]);
    expect(await post(receipt('opted-out', 'm1'))).toEqual(OK);
    expect(await events.unmatched(account)).toMatchObject([{ type: 'failed' }]);
    await events.provide(id, 'm1');
    events.service.clock.advance({ seconds: 6 });
    await events.match();
    expect(await events.state(account, id)).toMatchObject({ status: 'failed', events: [{ type: 'failed' }] });
    expect(await events.suppressions(account)).toMatchObject([{ address: NUMBER, reason: 'sms_opt_out' }]);
    expect(await events.unmatched(account)).toEqual([]);
  });

  it('refuses a post that is not signed with the key of the account, or too old', async () => {
    const refusal = { status: 403, body: errorBody(403, 'The signature is not valid') };
    const { body, headers } = SIGN.generic(receipt('failure', 'm1'));
    expect(await postSigned({ body: `${body} `, headers })).toEqual(refusal);
    expect(await postSigned({ body, headers: { 'x-signature': '' } })).toEqual(refusal);
    const old = SIGN.generic(receipt('failure', 'm1'), new Date(events.service.clock.now().getTime() - 301_000));
    expect(await postSigned(old)).toEqual(refusal);
    expect(await post(receipt('failure', 'm1'), await open(null))).toEqual(refusal);
    expect((await post(receipt('failure', 'm1'), { id: 'c000000000000000000000000' })).status).toBe(404);
  });

  it('refuses an unreadable receipt, and keeps the others of the same post', async () => {
    const id = await addMessage('m1');
    const nameless = { ...receipt('failure', 'm1'), notification: {} };
    expect(await post(nameless)).toEqual({ status: 400, body: badRequest('notification.messageId is required') });
    expect((await post({})).status).toBe(400);
    expect(
      await post([nameless, 7, { ...receipt('failure', 'm1'), status: 'LATER' }, receipt('success', 'm1')]),
    ).toEqual(OK);
    expect((await events.state(account, id)).status).toBe('delivered');
    expect((await events.unmatched(account)).map(({ type }) => type)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('shows that a key is set, but never the key', async () => {
    const { body } = await account.asMember('get', '/api/settings').expect(200);
    expect(body.sms.eventSigningKeySet).toBe(true);
    expect(JSON.stringify(body)).not.toContain(KEYS.generic);
    await account
      .asAdmin('patch', '/api/settings')
      .send({ sms: { senderId: 'Shop' } })
      .expect(200);
    expect(await post(receipt('success', 'm1'))).toEqual(OK);
    const { body: cleared } = await account.asAdmin('patch', '/api/settings').send({ sms: { eventSigningKey: null } });
    expect(cleared.sms.eventSigningKeySet).toBe(false);
  });

  it('come from the documented forwarder in the format of CloudWatch', async () => {
    const id = await addMessage('m1');
    const page = readFileSync(new URL('../../../docs/sms.md', import.meta.url), 'utf8');
    const [, forwarder = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const logEvents = [receipt('success', 'm1'), receipt('failure', 'nobody’s')].map((log, n) => ({
      id: String(n),
      timestamp: 1_467_074_434_558,
      message: JSON.stringify(log),
    }));
    const logged = { messageType: 'DATA_MESSAGE', logGroup: 'sns/…', logEvents };
    const event = { awslogs: { data: gzipSync(JSON.stringify(logged)).toString('base64') } };
    const program = `${forwarder}\nawait handler(${JSON.stringify(event)});`;
    const forward = (SIGNING_KEY: string) =>
      run(process.execPath, ['--input-type=module', '--eval', program], {
        env: { SIGNING_KEY, RECEIPTS_URL: urlOf(account) },
      });
    await forward(KEYS.generic);
    expect((await events.state(account, id)).status).toBe('delivered');
    await expect(forward('another')).rejects.toThrow('Answered 403');
  });
});
