import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';

const CREDENTIALS = { username: 'shop', password: 'secret' };

describe('POST /api/settings/test', () => {
  let service: TestService;
  let relay: SmtpSink;
  let aws: FakeAws;
  let account: TestAccount;

  beforeAll(async () => {
    aws = await FakeAws.start();
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    relay = await SmtpSink.start({ credentials: CREDENTIALS });
    service = await TestService.shared();
  });
  afterAll(async () => {
    delete process.env.AWS_ENDPOINT_URL_SESV2;
    await service.stop();
    await relay.stop();
    await aws.stop();
  });
  beforeEach(async () => {
    relay.reset();
    aws.reset();
    account = await service.createAccount();
  });

  const change = (settings: object) => account.asAdmin('patch', '/api/settings').send(settings).expect(200);
  const test = async () => (await account.asAdmin('post', '/api/settings/test').expect(200)).body as object;
  const useRelay = (fields: object = {}) =>
    change({ smtp: { host: '127.0.0.1', port: relay.port, ...CREDENTIALS, allowPlaintext: true, ...fields } });
  const useSes = () =>
    change({
      ses: { region: 'eu-west-1', accessKeyId: 'AKIASHOP', secretAccessKey: 'secret' },
      emailProvider: 'ses',
    });

  it('signs in at the relay, and sends nothing', async () => {
    await useRelay();
    expect(await test()).toEqual({ ok: true, provider: 'smtp', error: null });
    expect(relay.logins).toEqual(['shop']);
    expect(relay.received()).toEqual([]);
  });

  it('says why the relay cannot be used', async () => {
    await useRelay({ password: 'wrong' });
    expect(await test()).toEqual({ ok: false, provider: 'smtp', error: expect.stringContaining('535') });
    relay.answer = (stage) => (stage === 'connect' ? { code: 554, message: 'Not from here' } : undefined);
    await useRelay();
    expect(await test()).toMatchObject({ ok: false, error: expect.stringContaining('Not from here') });
    await useRelay({ port: 1 });
    expect(await test()).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') });
  });

  it('asks Amazon SES for the account', async () => {
    await useSes();
    expect(await test()).toEqual({ ok: true, provider: 'ses', error: null });
    aws.account('AKIASHOP').paused = true;
    expect(await test()).toMatchObject({ ok: false, error: 'Amazon SES has paused sending for this account' });
    aws.admission.keyState = () => 'unknown';
    expect(await test()).toMatchObject({
      ok: false,
      provider: 'ses',
      error: expect.stringContaining('security token included in the request is invalid'),
    });
    expect(aws.sent()).toEqual([]);
  });

  it('says that there is no provider', async () => {
    expect(await test()).toEqual({ ok: false, provider: null, error: 'No email provider is configured' });
  });
});
