import { afterEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import { hasRedis } from '../support/redis.js';
import { ClusterRedis, SentinelRedis } from '../support/redis-servers.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { acceptedAfter, SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const SENDER = 'shop@example.com';
const BEFORE = 100;
const AFTER = 100;
const ANSWER_AFTER_MS = 20;

async function startCluster() {
  const redis = await ClusterRedis.start({ hasReplicas: true });
  return { ...(await redis.ownerOf('email-delivery')), url: redis.url, stop: () => redis.stop() };
}

(hasRedis ? describe : describe.skip)('The queue on a Redis that fails over', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    while (running.length > 0) await running.pop()?.stop();
  });

  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    running.push(started);
    return started;
  };

  it.each([
    ['a master with Sentinels is killed', () => SentinelRedis.start(), 'kill'],
    ['a master with Sentinels freezes', () => SentinelRedis.start(), 'freeze'],
    ['a master of a Cluster is killed', startCluster, 'kill'],
    ['a master of a Cluster freezes', startCluster, 'freeze'],
  ] as const)('delivers every message once when %s under load', async (_, start, fail) => {
    const redis = keep(await start());
    const relay = keep(await SmtpSink.start());
    relay.answer = () => acceptedAfter(ANSWER_AFTER_MS);
    const service = keep(await TestService.start({ SMTP_URL: relay.url, REDIS_URL: redis.url }));
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    const { secret } = await account.createKey();
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, i) => sendEmail(service, secret, { to: `r${i}@example.org`, text: 'Hi' })),
      );
    const health = async () => (await service.request('get', '/health/ready').expect(200)).body.status as string;
    const arrived = () => relay.received().map(({ parsed }) => parsed.messageId);

    const ids = await send(BEFORE);
    await waitFor('the first mails', () => arrived().length > 0);
    await redis.master[fail]();
    ids.push(...(await send(AFTER)));
    await redis.untilFailedOver();
    await waitFor('the queue', async () => (await health()) === 'up');
    await waitFor('all outcomes', async () => {
      // As a minute later: the new master may not have the last jobs of the old one.
      await service.query('UPDATE pending_deliveries SET sweep_at = now() WHERE lease_ends_at IS NULL');
      await service.app.get(SweepDeliveries, { strict: false }).sweep();
      return (await service.query('SELECT FROM pending_deliveries')).length === 0;
    });
    expect(arrived().sort()).toEqual(ids.map((id) => `<${id}@example.com>`).sort());
  });
});
