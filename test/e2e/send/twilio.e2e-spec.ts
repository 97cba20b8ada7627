import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { badRequest } from '../../support/errors.js';
import type { FakeTwilio, TwilioAnswer } from '../../support/fake-twilio/fake-twilio.js';
import { BASE_URL, FROM, RECIPIENT, type TwilioAccount, TwilioFixture } from '../../support/twilio-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const SERVICE_SID = `MG${'c'.repeat(32)}`;
const WRONG_SENDER = { status: 400, code: 21659, message: 'Not a Twilio number' };

describe('Delivery of SMS through Twilio', () => {
  let fixture: TwilioFixture;
  let twilio: FakeTwilio;
  let sms: TwilioAccount;

  beforeAll(async () => {
    fixture = await TwilioFixture.start();
    ({ twilio } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    twilio.reset();
    sms = await fixture.open();
  });

  const send = (body: object = {}) => fixture.send(sms.key, body);
  const reaches = (id: string, status: string, eventCount: number) => fixture.reaches(sms.key, id, status, eventCount);
  const settings = async () => (await sms.account.asAdmin('get', '/api/settings').expect(200)).body;
  const change = (body: object) => sms.account.asAdmin('patch', '/api/settings').send({ sms: body });
  const answers = (answer: TwilioAnswer) => {
    twilio.answer = () => answer;
  };

  it('submits the text with the sender, and the address of the status callbacks', async () => {
    const text = 'Your code is 4711 – não partilhe & <tell> nobody 🎉 +1=2';
    const id = await send({ body: text });
    const message = await reaches(id, 'sent', 1);
    expect(twilio.messages()).toEqual([
      {
        ...{ sid: message.providerMessageId, accountSid: sms.accountSid, to: RECIPIENT, from: FROM, body: text },
        ...{ messagingServiceSid: null, statusCallback: `${sms.webhook}?message=${id}` },
      },
    ]);
    expect(sms.webhook).toMatch(BASE_URL);
    expect(message).toMatchObject({ provider: 'twilio', error: null, from: FROM });
    expect(message.events).toMatchObject([
      { type: 'sent', data: { attempt: 1, smtpResponse: `Twilio accepted it as ${message.providerMessageId}` } },
    ]);
  });

  it('can leave the sender to a messaging service', async () => {
    sms = await fixture.open({ twilio: { messagingServiceSid: SERVICE_SID } });
    expect(await reaches(await send(), 'sent', 1)).toMatchObject({ from: SERVICE_SID });
    expect(twilio.messages()).toMatchObject([{ from: null, messagingServiceSid: SERVICE_SID }]);
  });

  it('accepts nothing without a sender', async () => {
    sms = await fixture.open({ twilio: {} });
    expect(await settings()).toMatchObject({ canSend: { sms: false } });
    await fixture.post(sms.key).expect(400, badRequest('No origination number is set for this account'));
  });

  it('shows the settings without the token, and begins with the rate of Twilio', async () => {
    sms = await fixture.open({ maxSendRate: undefined });
    expect(await settings()).toMatchObject({
      canSend: { sms: true },
      sms: {
        ...{ provider: 'twilio', maxSendRate: 1, region: '', sandbox: null },
        twilio: { accountSid: sms.accountSid, authTokenSet: true, from: FROM, messagingServiceSid: null },
      },
    });
    expect(JSON.stringify(await settings())).not.toContain(sms.authToken);
  });

  it.each<[object, string | RegExp]>([
    [{ provider: 'pigeon' }, 'sms.provider must be sns or twilio'],
    [{ provider: 'sns' }, 'sms.region is required'],
    [{ region: 'us-east-1' }, 'sms.region is no setting of the provider twilio'],
    [{ twilio: null }, /sms\.twilio/],
    [{ twilio: { accountSid: 'AC1' } }, 'sms.twilio.accountSid must be AC and 32 hexadecimal digits'],
    [{ twilio: { accountSid: '../../Accounts' } }, 'sms.twilio.accountSid must be AC and 32 hexadecimal digits'],
    [{ twilio: { authToken: `a token\r\nof two lines` } }, /sms\.twilio\.authToken/],
    [{ twilio: { accountSid: `AC${'f'.repeat(32)}` } }, /^sms\.twilio\.authToken is required/],
    [{ twilio: { from: 'nobody at all' } }, /^sms\.twilio\.from must be/],
    [{ twilio: { sender: FROM } }, /sender/],
  ])('refuses the settings %j', async (body, message) => {
    const before = await settings();
    expect((await change(body).expect(400)).body).toMatchObject({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(await settings()).toEqual(before);
  });

  it('has no opt-out list to sync, and says so', async () => {
    const { body } = await sms.account.asAdmin('post', '/api/sms/sync-optouts').expect(400);
    expect(body).toMatchObject({ message: expect.stringContaining('no opt-out list') });
  });

  it('suppresses a recipient who has opted out at Twilio', async () => {
    twilio.optOut(FROM, RECIPIENT);
    const id = await send();
    const message = await reaches(id, 'failed', 1);
    expect(message).toMatchObject({ error: 'Twilio error 21610: Attempt to send to unsubscribed recipient' });
    expect(message.events).toMatchObject([{ type: 'failed', data: { reason: 'opted_out' } }]);
    expect(await fixture.suppressions(sms)).toEqual([
      { address: RECIPIENT, reason: 'sms_opt_out', source: 'provider' },
    ]);
    await fixture.post(sms.key).expect(400);
  });

  it('suppresses a number that does not exist', async () => {
    answers({ status: 400, code: 21614, message: "'To' number is not a valid mobile number" });
    await reaches(await send(), 'bounced', 1);
    expect(await fixture.suppressions(sms)).toMatchObject([{ address: RECIPIENT, reason: 'bounced' }]);
  });

  it('fails at once, and suppresses nobody, if the message is refused', async () => {
    answers({ status: 400, code: 21408, message: 'Permission to send an SMS has not been enabled' });
    await reaches(await send(), 'failed', 1);
    expect(await fixture.suppressions(sms)).toEqual([]);
  });

  it('pauses the SMS of the account while Twilio refuses the credentials, and goes on with new ones', async () => {
    twilio.openAccount('another token, since it was rotated', sms.accountSid);
    const id = await send();
    await waitFor('the pause', async () => (await settings()).sms.delivery.state === 'paused');
    expect(await settings()).toMatchObject({ sms: { delivery: { reason: 'Twilio error 20003: Authenticate' } } });
    await change({ twilio: { authToken: 'another token, since it was rotated' } }).expect(200);
    const directory = fixture.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the new token to be known', async () => {
      const connection = await directory.findSms(sms.account.id);
      return connection?.kind === 'twilio' && connection.authToken.startsWith('another');
    });
    await fixture.sweepAfter(310);
    await waitFor('the message', async () => (await fixture.read(sms.key, id)).status === 'sent');
  });

  it('pauses the SMS of the account while nothing can be sent from its number, and sends what waited from a new one', async () => {
    const wrong = '+12065550199';
    twilio.answer = (form) => (form.get('From') === wrong ? WRONG_SENDER : undefined);
    sms = await fixture.open({ twilio: { from: wrong } });
    const id = await send();
    await waitFor('the pause', async () => (await settings()).sms.delivery.state === 'paused');
    expect(await settings()).toMatchObject({
      sms: { delivery: { reason: 'Twilio error 21659: Not a Twilio number' } },
    });
    await change({ twilio: { from: FROM } }).expect(200);
    const directory = fixture.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the new number to be known', async () => {
      const connection = await directory.findSms(sms.account.id);
      return connection?.kind === 'twilio' && connection.originationNumber === FROM;
    });
    await fixture.sweepAfter(310);
    const { events } = await waitFor('the message', async () => {
      const message = await fixture.read(sms.key, id);
      return message.status === 'sent' && message;
    });
    expect(twilio.messages()).toMatchObject([{ from: FROM }]);
    expect(events.at(-1)).toMatchObject({ type: 'sent', data: { smtpResponse: expect.stringContaining(FROM) } });
    expect(await settings()).toMatchObject({ sms: { delivery: { state: 'active' } } });
  });

  it('does not pause for the one recipient in whose country a short code cannot be used', async () => {
    sms = await fixture.open({ twilio: { from: '72727' } });
    answers(WRONG_SENDER);
    const id = await send();
    const { error } = await reaches(id, 'queued', 1);
    expect(error).toContain('21659');
    expect(await settings()).toMatchObject({ sms: { delivery: { state: 'active' } } });
    answers(undefined);
    await reaches(await send(), 'sent', 1);
  });

  it('says that a message whose answer was lost may arrive twice', async () => {
    answers('drop');
    const id = await send();
    const { events } = await reaches(id, 'queued', 1);
    expect(events).toMatchObject([{ type: 'delayed', data: { outcomeUnknown: true } }]);
    answers(undefined);
    await fixture.sweepAfter(120);
    await reaches(id, 'sent', 2);
    expect(new Set(twilio.messages().map(({ statusCallback }) => statusCallback)).size).toBe(1);
  });
});
