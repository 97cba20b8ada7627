import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { SENDER } from '../../support/relay-fixture.js';
import { postEmail } from '../../support/send-email.js';
import { SimulatorFixture } from '../../support/simulator-fixture.js';
import { waitFor } from '../../support/wait-for.js';

describe('A message of a live key to a test address', () => {
  let fixture: SimulatorFixture;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await SimulatorFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    fixture.aws.reset();
    account = await fixture.service.createAccount({ dailySendCap: 2 });
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  const post = (mail: object) => postEmail(fixture.service, key.secret, { text: 'Hello', ...mail });

  it('is simulated, and is a live message in everything else', async () => {
    const { path } = await fixture.webhooks.addEndpoint(account);
    const message = await fixture.complete(key, await fixture.send(key, 'bounced+1@simulator.test'));
    expect(message).toMatchObject({ status: 'bounced', test: false, provider: 'simulator' });
    expect(await fixture.suppressions(account)).toMatchObject([{ address: 'bounced+1@simulator.test' }]);
    const [event] = await fixture.postedData(path);
    expect(event).toMatchObject({ event: 'contact.bounced', accountId: account.id });
    expect(event?.data).not.toHaveProperty('test');
    const { body } = await account.asMember('get', '/api/messages').expect(200);
    expect(body.items).toMatchObject([{ id: message.id, test: false }]);
    expect(fixture.relay.connections).toBe(0);
  });

  it('is subject to all checks and caps', async () => {
    await post({ to: 'ada@simulator.test', fromEmail: 'other@example.net' }).expect(
      400,
      errorBody(400, 'other@example.net is not verified for sending'),
    );
    await post({ to: 'suppressed@simulator.test' }).expect(
      400,
      errorBody(400, 'suppressed@simulator.test is suppressed'),
    );
    for (let i = 0; i < 2; i++) await post({ to: 'ada@simulator.test' }).expect(201);
    await post({ to: 'ada@simulator.test' }).expect(429);
  });

  it('leaves copies to other addresses to the provider', async () => {
    const { body } = await post({ to: 'ada@simulator.test', cc: ['bounced@example.org'] }).expect(201);
    await fixture.complete(key, body.messageLogId as string);
    await waitFor('the copy', () => fixture.relay.received().length === 1);
    expect(fixture.relay.received()[0]?.envelope.to).toEqual(['bounced@example.org']);
    expect((await fixture.read(key, body.messageLogId as string)).provider).toBe('simulator');
  });

  it('by SMS needs an origination number, and reaches no provider, in the sandbox either', async () => {
    const refusal = errorBody(400, 'SMS is not enabled for this account');
    await fixture.postSms(key, '+15005550001').expect(400, refusal);
    const ses = { region: 'eu-west-1', accessKeyId: 'AKIASIMULATED', secretAccessKey: 'a secret of AWS' };
    const sms = { enabled: true, region: 'us-east-1', originationNumber: '+12065550100' };
    await account.asAdmin('patch', '/api/settings').send({ ses, sms }).expect(200);
    const message = await fixture.complete(key, await fixture.sendSms(key, '+15005550004'));
    expect(message).toMatchObject({ status: 'delivered', test: false, provider: 'simulator', from: '+12065550100' });
    expect(await fixture.suppressions(account)).toMatchObject([{ address: '+15005550004', reason: 'sms_opt_out' }]);
    expect(fixture.aws.requests('Publish')).toBe(0);
  });
});

describe('A test key of an account with providers', () => {
  let fixture: SimulatorFixture;

  beforeAll(async () => {
    fixture = await SimulatorFixture.start();
  });
  afterAll(() => fixture.stop());

  it('reaches neither a relay nor SES nor SNS', async () => {
    const account = await fixture.service.createAccount();
    const ses = { region: 'eu-west-1', accessKeyId: 'AKIATESTKEY', secretAccessKey: 'a secret of AWS' };
    const sms = { enabled: true, region: 'us-east-1', originationNumber: '+12065550100' };
    const smtp = { host: '127.0.0.1', port: fixture.relay.port };
    const key = await account.createKey({ mode: 'test' });
    for (const settings of [{ smtp }, { emailProvider: 'ses', ses, sms, tracking: 'native' }]) {
      await account.asAdmin('patch', '/api/settings').send(settings).expect(200);
      const ids = [
        await fixture.send(key, 'ada@example.org', { html: '<a href="https://shop.example/">Shop</a>' }),
        await fixture.sendSms(key, '+14155550100'),
      ];
      for (const id of ids) expect(await fixture.complete(key, id)).toMatchObject({ status: 'delivered', test: true });
    }
    expect(fixture.relay.connections).toBe(0);
    expect(fixture.aws.requests('SendEmail') + fixture.aws.requests('Publish')).toBe(0);
  });
});
