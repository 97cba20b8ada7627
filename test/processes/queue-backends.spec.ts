import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import { EmailDeliveryProcessor } from '../../src/modules/sending/jobs/delivery.processors.js';
import type { TestKey } from '../support/account.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const SENDER = 'shop@example.com';

const END_CLAIMS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%wanted%'`;

describe.each(['PostgreSQL', 'Redis'] as const)('The queue on %s', (backend) => {
  const run = backend === 'PostgreSQL' || hasRedis ? it : it.skip;
  let redis: TestRedis | undefined;
  let relay: SmtpSink | undefined;
  let service: TestService;
  let key: TestKey;

  beforeAll(async () => {
    if (backend === 'Redis' && !hasRedis) return;
    redis = backend === 'Redis' ? await startRedis() : undefined;
    const sink = await SmtpSink.start();
    relay = sink;
    service = await TestService.start({ SMTP_URL: sink.url, ...(redis ? { REDIS_URL: redis.url } : {}) });
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
  });
  afterAll(async () => {
    if (backend === 'Redis' && !hasRedis) return;
    await service.stop();
    await relay?.stop();
    await redis?.stop();
  });
  beforeEach(() => {
    relay?.reset();
  });

  const sendAll = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        sendEmail(service, key.secret, { to: `r${i}@example.org`, text: 'Hello' }),
      ),
    );
  const arrived = () => relay!.received().map(({ parsed }) => parsed.messageId);
  const allOf = (ids: string[]) => ids.map((id) => `<${id}@example.com>`).sort();
  const pending = () => service.query('SELECT message_id FROM pending_deliveries');

  run('delivers every message once', async () => {
    const ids = await sendAll(200);
    await waitFor('all outcomes', async () => (await pending()).length === 0);
    expect(arrived().sort()).toEqual(allOf(ids));
  });

  run('is ready with both parts, and reports its depth', async () => {
    const { body } = await service.request('get', '/health/ready').expect(200);
    expect(body).toEqual({ status: 'up', checks: { database: 'up', queue: 'up', load: 'up' } });
    const { text } = await service.request('get', '/metrics').expect(200);
    expect(text).toMatch(/^queue_depth\{queue="email-delivery"\} 0$/m);
    expect(text).toMatch(/^messages_accepted_total\{channel="email"\} [1-9]/m);
    expect(text).toMatch(
      /^message_delivery_duration_seconds_count\{channel="email",lane="email",outcome="sent"\} [1-9]/m,
    );
  });

  run('delivers what a worker failed to claim, as soon as it can', async () => {
    const { worker } = service.app.get(EmailDeliveryProcessor, { strict: false });
    await worker.pause();
    const ids = await sendAll(3);
    let onLocked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (onLocked = resolve));
    const held = service.hold(async () => {
      await service.query('LOCK TABLE pending_deliveries');
      onLocked();
      await waitFor('a claim to fail', async () => {
        await service.query('SELECT pg_stat_clear_snapshot()'); // kept for a transaction
        return (await service.query(END_CLAIMS)).length > 0;
      });
    });
    await isLocked;
    await worker.resume();
    await held;
    await waitFor('all outcomes', async () => (await pending()).length === 0);
    expect(arrived().sort()).toEqual(allOf(ids));
  });

  run('delivers what was accepted while it lost its jobs', async () => {
    let goOn: (answer: undefined) => void = () => undefined;
    const isLost = new Promise<undefined>((resolve) => (goOn = resolve));
    relay!.answer = () => isLost;
    const ids = await sendAll(100);
    if (redis) await redis.client.flushall();
    else await service.query('DELETE FROM bullmq.job');
    goOn(undefined);
    service.clock.advance({ minutes: 2 });
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
    await waitFor('all outcomes', async () => (await pending()).length === 0);
    expect(new Set(arrived())).toEqual(new Set(allOf(ids)));
  });
});
