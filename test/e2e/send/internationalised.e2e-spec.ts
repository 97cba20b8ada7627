import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const CREDENTIALS = { username: 'shop', password: 'a password of the relay' };

describe('An e-mail to an address with non-ASCII characters before the @', () => {
  let withUtf8: SmtpSink;
  let withoutUtf8: SmtpSink;
  let withLogin: SmtpSink;
  let service: TestService;

  beforeAll(async () => {
    withUtf8 = await SmtpSink.start();
    withoutUtf8 = await SmtpSink.start({ offersSmtpUtf8: false });
    withLogin = await SmtpSink.start({ credentials: CREDENTIALS });
    service = await TestService.start({ SMTP_URL: withUtf8.url });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([withUtf8, withoutUtf8, withLogin].map((relay) => relay.stop()));
  });

  async function openAccount(relay: SmtpSink, login: object = {}): Promise<TestAccount> {
    const account = await service.createAccount();
    await account.verifySender('shop@example.com');
    const smtp = { host: '127.0.0.1', port: relay.port, ...login };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    return account;
  }
  async function deliver(account: TestAccount, mail: object) {
    const { secret } = await account.createKey({ scopes: ['send', 'read_events'] });
    const id = await sendEmail(service, secret, { text: 'Thank you', ...mail });
    return waitFor('an outcome', async () => {
      const { body } = await account.asAdmin('get', `/api/messages/${id}`).expect(200);
      return body.events.length > 0 && (body as { status: string; error: string | null; events: { type: string }[] });
    });
  }

  it.each(['jürgen@example.org', '用户@bücher.example'])('uses SMTPUTF8 if the relay offers it: %s', async (to) => {
    withUtf8.reset();
    expect(await deliver(await openAccount(withUtf8), { to })).toMatchObject({ status: 'sent' });
    const [mail] = withUtf8.received();
    expect(mail).toMatchObject({ smtpUtf8: true, envelope: { to: [to] } });
    expect(mail?.raw).toMatch(new RegExp(`^To: ${to.split('@')[0]!}@`, 'm'));
  });

  it('logs in to such a relay', async () => {
    const account = await openAccount(withLogin, CREDENTIALS);
    expect(await deliver(account, { to: 'jürgen@example.org' })).toMatchObject({ status: 'sent' });
    expect(withLogin.received()).toMatchObject([{ smtpUtf8: true }]);
  });

  it('fails without SMTPUTF8, and the relay does not get the address', async () => {
    const named: string[] = [];
    withoutUtf8.answer = (stage, _session, address) => {
      if (stage !== 'connect') named.push(address);
      return undefined;
    };
    const account = await openAccount(withoutUtf8);
    const failed = await deliver(account, { to: 'jürgen@example.org' });
    expect(failed).toMatchObject({ status: 'failed', events: [{ type: 'failed' }] });
    expect(failed.error).toBe(
      'The relay does not offer SMTPUTF8, which an address with non-ASCII characters before the @ needs',
    );
    expect(named).toEqual([]);
    expect(await deliver(account, { to: 'ada@bücher.example' })).toMatchObject({ status: 'sent' });
    expect(withoutUtf8.received()).toMatchObject([{ smtpUtf8: false }]);
  });

  it('is retried if the relay is down or refuses transiently', async () => {
    const relay = await SmtpSink.start();
    const account = await openAccount(relay);
    relay.answer = (stage) => (stage === 'connect' ? 'drop' : undefined);
    expect(await deliver(account, { to: 'jürgen@example.org' })).toMatchObject({ status: 'queued' });
    relay.answer = (stage) => (stage === 'rcpt' ? { code: 450, message: 'greylisted' } : undefined);
    expect(await deliver(account, { to: 'jürgen@example.org' })).toMatchObject({ status: 'queued' });
    await relay.stop();
  });

  it('fails with the reason if an earlier version accepted such a replyTo', async () => {
    withUtf8.reset();
    withUtf8.answer = (stage) => (stage === 'rcpt' ? { code: 450, message: 'greylisted' } : undefined);
    const account = await openAccount(withUtf8);
    const postponed = await deliver(account, { replyTo: 'help@example.com' });
    expect(postponed.status).toBe('queued');
    await service.query(`UPDATE message_logs SET reply_to = 'jürgen@example.com' WHERE account_id = $1`, [account.id]);
    withUtf8.reset();
    service.clock.advance({ minutes: 2 });
    const { body } = await account.asAdmin('get', '/api/messages').expect(200);
    const { id } = body.items[0] as { id: string };
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
    const failed = await waitFor('the failure', async () => {
      const { body: message } = await account.asAdmin('get', `/api/messages/${id}`).expect(200);
      return message.status === 'failed' && (message as { error: string });
    });
    expect(failed.error).toMatch(/^replyTo has non-ASCII characters/);
    expect(withUtf8.received()).toEqual([]);
  });
});
