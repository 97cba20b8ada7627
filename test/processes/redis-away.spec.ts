import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestKey } from '../support/account.js';
import { freePort, hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const SENDER = 'shop@example.com';

(hasRedis ? describe : describe.skip)('While Redis is away', () => {
  let port: number;
  let redis: TestRedis | undefined;
  let relay: SmtpSink;
  let service: TestService;
  let key: TestKey;

  beforeAll(async () => {
    port = await freePort();
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url, REDIS_URL: `redis://127.0.0.1:${port}` });
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
    await redis?.stop();
  });

  const send = () => sendEmail(service, key.secret, { text: 'Hello' });
  const health = async () => (await service.request('get', '/health/ready').expect(200)).body.status as string;
  /** As a minute later; what a worker has in its hands already stays there. */
  const sweepWhatNobodyHas = async () => {
    await service.query('UPDATE pending_deliveries SET sweep_at = now() WHERE lease_ends_at IS NULL');
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
  };
  const delivered = (count: number) => waitFor(`${count} mails`, () => relay.received().length === count);

  it('accepts from the start, and delivers once it is there', async () => {
    expect(await health()).toBe('degraded');
    await send();
    redis = await startRedis(port);
    await waitFor('the queue', async () => (await health()) === 'up');
    await delivered(1);
  });

  it('accepts when it goes away without what it held, and delivers when it is back', async () => {
    await redis?.stop();
    redis = undefined;
    await send();
    expect(await health()).toBe('degraded');
    redis = await startRedis(port);
    await waitFor('the queue', async () => (await health()) === 'up');
    await sweepWhatNobodyHas();
    await delivered(2);
  });
});

(hasRedis ? describe : describe.skip)('While Redis is silent', () => {
  it('accepts, and delivers once it responds again', async () => {
    const redis = await startRedis();
    const proxy = await TcpProxy.start();
    proxy.target = Number(new URL(redis.url).port);
    const relay = await SmtpSink.start();
    const service = await TestService.start({ SMTP_URL: relay.url, REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    try {
      const account = await service.createAccount();
      await account.verifySender(SENDER);
      const { secret } = await account.createKey();
      await sendEmail(service, secret, { text: 'Hello' });
      await waitFor('the first mail', () => relay.received().length === 1);
      proxy.beSilent();
      await sendEmail(service, secret, { text: 'Hello' });
      const { body } = await service.request('get', '/health/ready').expect(200);
      expect(body.status).toBe('degraded');
      proxy.speak();
      await waitFor('the second mail', () => relay.received().length === 2);
    } finally {
      await service.stop();
      await relay.stop();
      proxy.stop();
      await redis.stop();
    }
  });
});
