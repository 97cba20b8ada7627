import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { SimulatorFixture } from '../../support/simulator-fixture.js';

describe('A message of a test key', () => {
  let fixture: SimulatorFixture;
  let account: TestAccount;
  let key: TestKey;
  let path: string;

  beforeAll(async () => {
    fixture = await SimulatorFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.service.clock.freeze(); // the simulator promises times
    account = await fixture.service.createAccount();
    key = await account.createKey({ mode: 'test' });
    await fixture.webhooks.receiver.reset();
    ({ path } = await fixture.webhooks.addEndpoint(account, { testEvents: true }));
  });
  afterEach(() => {
    expect(fixture.relay.connections).toBe(0);
    expect(fixture.aws.connections.opened).toBe(0);
  });

  const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
  const complete = async (to: string, mail?: object) => fixture.complete(key, await fixture.send(key, to, mail));

  it.each(['ada@example.org', 'delivered@simulator.test', 'ADA+x@Example.org'])(
    'to %s is sent and delivered a second later, without a provider or a verified sender',
    async (to) => {
      const message = await complete(to);
      expect(message).toMatchObject({ to, test: true, status: 'delivered', provider: 'simulator', apiKeyId: key.id });
      expect(message.providerMessageId).toBe(`${message.id}@simulator.test`);
      const [sent, delivered] = message.events;
      expect([sent.type, delivered.type]).toEqual(['sent', 'delivered']);
      expect(Date.parse(delivered.occurredAt) - Date.parse(sent.occurredAt)).toBe(1_000);
    },
  );

  it('to bounced@ bounces, which suppresses the address and its contact for test sends and notifies webhooks', async () => {
    const contact = { email: 'bounced+1@example.org', firstName: 'Ada' };
    const { body: ada } = await fixture.service
      .request('post', '/api/contacts')
      .set('X-API-Key', key.secret)
      .send(contact)
      .expect(201);
    const message = await complete('bounced+1@example.org');
    expect(message).toMatchObject({ status: 'bounced', contactId: ada.id });
    expect(message.events).toMatchObject([
      { type: 'sent' },
      { type: 'bounced', data: { bounceType: 'hard', diagnosticCode: '550 5.1.1 simulated' } },
    ]);
    await postEmail(fixture.service, key.secret, { to: 'bounced+1@example.org', text: 'Again' }).expect(
      400,
      errorBody(400, 'bounced+1@example.org is suppressed'),
    );
    await fixture.send(key, 'bounced+2@example.org');
    expect(await fixture.suppressions(account, '?test=true')).toMatchObject([
      { address: 'bounced+1@example.org', reason: 'bounced', messageLogId: message.id, contactId: ada.id },
    ]);
    expect(await fixture.postedData(path)).toMatchObject([
      {
        event: 'contact.bounced',
        accountId: account.id,
        data: { test: true, email: 'bounced+1@example.org', messageLogId: message.id, firstName: 'Ada' },
      },
    ]);
  });

  it('to soft-bounced@ bounces softly, which suppresses nobody', async () => {
    const message = await complete('soft-bounced@example.org');
    expect(message).toMatchObject({ status: 'sent', events: [{ type: 'sent' }, { data: { bounceType: 'soft' } }] });
    expect(await fixture.suppressions(account, '?test=true')).toEqual([]);
  });

  it('to complained@ is complained about', async () => {
    const message = await complete('complained@example.org');
    expect(message.status).toBe('complained');
    expect(typesOf(message)).toEqual(['sent', 'complained']);
    expect(await fixture.postedData(path)).toMatchObject([
      { event: 'contact.complained', data: { test: true, messageLogId: message.id, feedbackType: 'abuse' } },
    ]);
    expect(await fixture.suppressions(account, '?test=true')).toMatchObject([{ reason: 'complained' }]);
  });

  it('to delayed@ is refused twice for five seconds each, and then delivered', async () => {
    const id = await fixture.send(key, 'delayed@example.org');
    const [event] = (await fixture.attempted(key, id)).events;
    expect(event).toMatchObject({ type: 'delayed', data: { attempt: 1, smtpResponse: '451 4.7.1 simulated' } });
    expect(Date.parse(event.data.nextAttemptAt) - Date.parse(event.occurredAt)).toBe(5_000);
    await fixture.sweepAfter(6);
    await fixture.attempted(key, id, 2);
    await fixture.sweepAfter(6);
    await fixture.attempted(key, id, 3);
    await fixture.report();
    const message = await fixture.read(key, id);
    expect(message).toMatchObject({ status: 'delivered', error: null });
    expect(typesOf(message)).toEqual(['delayed', 'delayed', 'sent', 'delivered']);
  });

  it('to delayed@ is attempted again after five seconds, before a sweep finds it', async () => {
    fixture.service.clock.unfreeze(); // events of the same time are in any order
    const { events } = await fixture.attempted(key, await fixture.send(key, 'delayed@example.org'), 2);
    const [first, second] = events as { occurredAt: string; data: { attempt: number } }[];
    expect([first?.data.attempt, second?.data.attempt]).toEqual([1, 2]);
  });

  it('to failed@ fails for good, which suppresses nobody', async () => {
    const message = await complete('failed@example.org');
    expect(message).toMatchObject({ status: 'failed', error: '550 5.7.1 simulated', events: [{ type: 'failed' }] });
    expect(await fixture.suppressions(account, '?test=true')).toEqual([]);
  });

  it('to suppressed@ is refused at once, also as a copy and in a batch', async () => {
    const refusal = errorBody(400, 'suppressed+1@example.org is suppressed');
    const post = (mail: object) => postEmail(fixture.service, key.secret, { text: 'Hello', ...mail });
    await post({ to: 'suppressed+1@example.org' }).expect(400, refusal);
    await post({ to: 'ada@example.org', cc: ['suppressed+1@example.org'] }).expect(400, refusal);
    const messages = ['ada', 'suppressed'].map((name) => {
      return { to: `${name}@example.org`, fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' };
    });
    const batch = fixture.service.request('post', '/api/send/batch').set('X-API-Key', key.secret);
    const { body } = await batch.send({ messages, mode: 'valid' }).expect(201);
    expect(body).toMatchObject({
      queued: 1,
      results: [{}, { error: { message: 'suppressed@example.org is suppressed' } }],
    });
  });

  it('to opened@ is delivered and opened', async () => {
    const message = await complete('opened@example.org', { html: '<p>Hello</p>' });
    expect(message).toMatchObject({ status: 'delivered', opens: 1, clicks: 0 });
    expect(typesOf(message)).toEqual(['sent', 'delivered', 'opened']);
  });

  it('to clicked@ is delivered, and its first link is clicked', async () => {
    const html = '<a href="https://shop.example/a?b=1&amp;c=2">A</a> <a href="https://shop.example/b">B</a>';
    const message = await complete('clicked@example.org', { html });
    expect(message).toMatchObject({ status: 'delivered', opens: 0, clicks: 1 });
    expect(message.events).toMatchObject([
      { type: 'sent' },
      { type: 'delivered' },
      { type: 'clicked', data: { url: 'https://shop.example/a?b=1&c=2' } },
    ]);
  });

  it('to unsubscribed@ is delivered, and its recipient unsubscribes with one click', async () => {
    const message = await complete('unsubscribed@example.org');
    expect(message.status).toBe('delivered');
    expect(await fixture.suppressions(account, '?test=true')).toMatchObject([
      { address: 'unsubscribed@example.org', reason: 'unsubscribed', source: 'one_click', messageLogId: message.id },
    ]);
    expect(await fixture.postedData(path)).toMatchObject([
      { event: 'contact.unsubscribed', data: { test: true, email: 'unsubscribed@example.org', source: 'one_click' } },
    ]);
  });

  it('is left out of the metric of attempts, so that no alert is about it', async () => {
    for (const to of ['failed@example.org', 'delayed@example.org', 'ada@example.org'])
      await fixture.attempted(key, await fixture.send(key, to));
    const { text } = await fixture.service.request('get', '/metrics').expect(200);
    expect(text).toContain('messages_accepted_total{');
    expect(text).not.toContain('message_delivery_duration_seconds_count{');
  });

  it('has an outcome of its own for each copy', async () => {
    const { body } = await postEmail(fixture.service, key.secret, {
      to: 'ada@example.org',
      bcc: ['failed@example.org'],
      text: 'Hello',
    }).expect(201);
    await fixture.complete(key, body.messageLogId as string);
    expect((await fixture.read(key, body.messageLogId as string)).status).toBe('delivered');
    expect((await fixture.attempted(key, body.copies[0].messageLogId as string)).status).toBe('failed');
  });

  describe('by SMS', () => {
    const completeSms = async (to: string) => fixture.complete(key, await fixture.sendSms(key, to));

    it.each(['+15005550001', '+14155550100'])('to %s is delivered, without a provider', async (to) => {
      const message = await completeSms(to);
      expect(message).toMatchObject({ channel: 'sms', test: true, status: 'delivered', from: '+15005550000' });
      expect(typesOf(message)).toEqual(['sent', 'delivered']);
    });

    it('to the second test number fails', async () => {
      const message = await completeSms('+15005550002');
      expect(message.status).toBe('failed');
      expect(typesOf(message)).toEqual(['sent', 'failed']);
      await fixture.postSms(key, '+15005550002').expect(201);
    });

    it('to the third test number is refused', async () => {
      const refusal = errorBody(400, '+15005550003 has opted out of SMS');
      await fixture.postSms(key, '+15005550003').expect(400, refusal);
    });

    it('to the fourth test number is answered STOP, and then refused', async () => {
      const message = await completeSms('+15005550004');
      expect(message.status).toBe('delivered');
      await fixture.postSms(key, '+15005550004').expect(400, errorBody(400, '+15005550004 has opted out of SMS'));
      expect(await fixture.suppressions(account, '?test=true')).toMatchObject([{ reason: 'sms_opt_out' }]);
      const posts = await fixture.postedData(path);
      const inbound = {
        event: 'sms.inbound',
        accountId: account.id,
        data: { test: true, from: '+15005550004', to: '+15005550000', body: 'STOP', previousMessageLogId: message.id },
      };
      const suppressed = { event: 'contact.suppressed', data: { test: true, phone: '+15005550004' } };
      expect(posts).toHaveLength(2);
      expect(posts.find(({ event }) => event === 'sms.inbound')).toMatchObject(inbound);
      expect(posts.find(({ event }) => event === 'contact.suppressed')).toMatchObject(suppressed);
    });
  });
});
