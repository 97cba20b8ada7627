import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { BullJobQueue } from '../../src/platform/queue/bull-job-queue.js';
import { QUEUE_NAMES } from '../../src/shared/jobs.js';
import { hasRedis } from '../support/redis.js';
import { ClusterRedis } from '../support/redis-servers.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const SENDER = 'shop@example.com';

(hasRedis ? describe : describe.skip)('The queue on a Redis Cluster', () => {
  let redis: ClusterRedis;
  let relay: SmtpSink;
  let service: TestService;

  beforeAll(async () => {
    redis = await ClusterRedis.start();
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
    await redis.stop();
  });

  it('delivers every message once', async () => {
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    const { secret } = await account.createKey();
    const ids = await Promise.all(
      Array.from({ length: 200 }, (_, i) => sendEmail(service, secret, { to: `r${i}@example.org`, text: 'Hello' })),
    );
    await waitFor('all outcomes', async () => (await service.query('SELECT FROM pending_deliveries')).length === 0);
    const arrived = relay.received().map(({ parsed }) => parsed.messageId);
    expect(arrived.sort()).toEqual(ids.map((id) => `<${id}@example.com>`).sort());
    const { body } = await service.request('get', '/health/ready').expect(200);
    expect(body).toEqual({ status: 'up', checks: { database: 'up', queue: 'up', load: 'up' } });
  });

  it('runs the jobs of every queue, on more than one node', async () => {
    const none = { accountId: 'none', messageIds: [] };
    await service.app.get(BullJobQueue, { strict: false }).enqueue([
      { name: 'deliver-bulk', payload: none },
      { name: 'deliver-bulk-sms', payload: none },
      { name: 'deliver-email', payload: none },
      { name: 'deliver-sms', payload: none },
      { name: 'deliver-webhooks', payload: { endpointIds: [] } },
      { name: 'import-contacts', payload: { accountId: 'none' } },
      { name: 'run-campaign', payload: { accountId: 'none', campaignId: 'none' } },
    ]);
    for (const queue of QUEUE_NAMES)
      await waitFor(`a completed job of ${queue}`, () => hasCompleted(`{${queue}}:${queue}:events`));
    const withKeys = (await redis.keys()).filter((keys) => keys.length > 0);
    expect(withKeys.length).toBeGreaterThan(1);
  });

  async function hasCompleted(events: string): Promise<boolean> {
    const keys = await redis.keys();
    const node = redis.nodes[keys.findIndex((some) => some.includes(events))];
    const entries = (await node?.client.xrange(events, '-', '+')) ?? [];
    return entries.some(([, fields]) => fields[fields.indexOf('event') + 1] === 'completed');
  }
});
