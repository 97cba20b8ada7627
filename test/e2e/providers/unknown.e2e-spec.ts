import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { RelayFixture } from '../../support/relay-fixture.js';
import { waitFor } from '../../support/wait-for.js';

let fixture: RelayFixture;

beforeAll(async () => {
  fixture = await RelayFixture.start();
});
afterAll(() => fixture.stop());

const FAULT = 'Provider error: the settings name the provider "pigeon", and this version has smtp, ses';

it('An unknown email provider in the settings delays messages with a clear error, and can be replaced', async () => {
  const sending = await fixture.open();
  const { account } = sending;
  await fixture.service.query(`UPDATE accounts SET email_provider = 'pigeon', updated_at = now() WHERE id = $1`, [
    account.id,
  ]);
  const message = await sending.attempt({ text: 'Hello' });
  expect(message).toMatchObject({ status: 'queued', error: FAULT });
  const shown = await account.asAdmin('get', '/api/settings').expect(200);
  expect(shown.body).toMatchObject({ emailProvider: 'pigeon', canSend: { email: false } });
  const tested = await account.asAdmin('post', '/api/settings/test').expect(200);
  expect(tested.body).toEqual({ ok: false, provider: null, error: expect.stringContaining('"pigeon"') });
  await account.asAdmin('post', '/api/domains').send({ name: 'example.net' }).expect(500);
  await account.asAdmin('patch', '/api/settings').send({ emailProvider: 'smtp' }).expect(200);
  await account.verifySendersAgain();
  await waitFor('the message', async () => {
    fixture.service.clock.advance({ seconds: 120 });
    await fixture.sweep();
    return (await sending.read(message.id)).status === 'sent';
  });
});

it('An unknown SMS provider in the settings is no crash either', async () => {
  const { account } = await fixture.open();
  const sms = { provider: 'semaphore', enabled: true, region: 'us-east-1', originationNumber: '+12065550100' };
  await fixture.service.query('UPDATE accounts SET sms = $2, updated_at = now() WHERE id = $1', [
    account.id,
    JSON.stringify({
      ...sms,
      senderId: null,
      twoWay: false,
      topicArn: null,
      maxSendRate: 1,
      sealedEventSigningKey: null,
    }),
  ]);
  const shown = await account.asAdmin('get', '/api/settings').expect(200);
  expect(shown.body).toMatchObject({ sms: { enabled: true }, canSend: { sms: false } });
  const key = await account.createKey();
  const request = fixture.service.request('post', '/api/send/sms').set('X-API-Key', key.secret);
  const { body } = await request.send({ to: '+14155550100', body: 'Hello' });
  expect(body).toMatchObject({ message: expect.stringContaining('"semaphore"') });
});
