import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { FakeTwilio } from '../../support/fake-twilio/fake-twilio.js';
import { sign } from '../../support/fake-twilio/signature.js';

const [TO, FROM] = ['+14155550100', '+12065550100'];
const TOKEN = 'the token of the account';

/** What the other tests rely on, as the documentation of Twilio describes it. */
describe('The Twilio of the tests', () => {
  let twilio: FakeTwilio;
  let accountSid: string;

  beforeAll(async () => {
    twilio = await FakeTwilio.start();
  });
  afterAll(() => twilio.stop());
  beforeEach(() => {
    twilio.reset();
    accountSid = twilio.openAccount(TOKEN);
  });

  const create = async (form: Record<string, string>, { sid = accountSid, token = TOKEN } = {}) => {
    const response = await fetch(`${twilio.url}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${sid}:${token}`)}` },
      body: new URLSearchParams(form),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it.each<[string, number, number, Record<string, string>, object]>([
    ['a wrong token', 401, 20003, {}, { token: 'wrong' }],
    ['another account', 401, 20003, {}, { sid: `AC${'0'.repeat(32)}` }],
    ['no recipient', 400, 21604, { To: '' }, {}],
    ['no sender', 400, 21603, { From: '' }, {}],
    ['no text', 400, 21602, { Body: '' }, {}],
    ['too much text', 400, 21617, { Body: 'a'.repeat(1_601) }, {}],
    ['a number that is none', 400, 21211, { To: '4155550100' }, {}],
    ['an address of callbacks that is none', 400, 21609, { StatusCallback: '/callback' }, {}],
  ])('refuses %s', async (_, status, code, changes, access) => {
    const refused = await create({ To: TO, From: FROM, Body: 'Hello', ...changes }, access);
    expect(refused).toMatchObject({ status, body: { status, code, message: expect.any(String) } });
    expect(twilio.messages()).toEqual([]);
  });

  it('sends nothing to who has replied STOP to the sender', async () => {
    const reply = { accountSid, from: TO, to: FROM, body: 'Stop' };
    await twilio.receive(`${twilio.url}/nowhere`, reply);
    expect(await create({ To: TO, From: FROM, Body: 'Hello' })).toMatchObject({ status: 400, body: { code: 21610 } });
    expect((await create({ To: TO, From: '+12065550199', Body: 'Hello' })).status).toBe(201);
  });

  it('signs as its documentation does', () => {
    const parameters = { Digits: '1234', To: '+18005551212', From: '+14158675310', Caller: '+14158675310' };
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(sign('12345', url, { ...parameters, CallSid: 'CA1234567890ABCDE' })).toBe('GvWf1cFY/Q7PnoempGyD5oXAezc=');
  });
});
