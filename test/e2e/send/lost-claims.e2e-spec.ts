import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/index.js';
import { OutboxDispatcher } from '../../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { WebhookDeliveryRepository } from '../../../src/modules/webhooks/application/ports/webhook-delivery.repository.js';
import type { TestAccount } from '../../support/account.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'hello@example.org';
const OUTCOME = { kind: 'failed', error: 'refused' } as const;
const FAULTS = { onRetry: () => undefined, onUncheckedClicks: () => undefined };
const RESULT = {
  startedAt: new Date(),
  durationMs: 1,
  requestHeaders: {},
  statusCode: 200,
  retryAfter: null,
  error: null,
  responseHeaders: null,
  responseBody: null,
};

/** The database was out of reach for longer than the lease, and the sweep has given the message to the same process. */
describe('A process that has claimed again what it still works on', () => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:1' }, database);
    account = await service.createAccount();
    await account.verifySender(SENDER);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('keeps only the new claim of a message, and records only its outcome', async () => {
    const deliveries = service.app.get(PendingDeliveryRepository, { strict: false });
    const { secret } = await account.createKey();
    const { body } = await postEmail(service, secret, { fromEmail: SENDER, text: 'Hello' }).expect(201);
    const claim = async () => (await deliveries.claim(account.id, [body.messageLogId as string]))[0]!;
    const lost = await claim();
    await service.query(`UPDATE pending_deliveries SET lease_ends_at = now() - interval '1 second'`);
    const held = await claim();
    await deliveries.renew([lost, held]);
    expect([lost, held].map(({ lease }) => lease.isSafe())).toEqual([false, true]);
    const recorded = [lost, held].map((message) => deliveries.record(message, OUTCOME, FAULTS));
    expect(await Promise.all(recorded)).toEqual([false, true]);
  });

  it('keeps only the new claim of a webhook delivery, and records only its attempt', async () => {
    const deliveries = service.app.get(WebhookDeliveryRepository, { strict: false });
    const endpoint = { url: 'https://hooks.example.com', events: ['contact.suppressed'] };
    const { body } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.net' }).expect(201);
    await service.app.get(OutboxDispatcher, { strict: false }).dispatch();
    const claim = async () => (await deliveries.claimAcrossAccounts(body.id as string, 1))[0]!;
    const lost = await claim();
    await service.query(`UPDATE webhook_deliveries SET due_at = now() - interval '1 second'`);
    const held = await claim();
    await deliveries.renew([lost, held]);
    expect([lost, held].map(({ lease }) => lease.isSafe())).toEqual([false, true]);
    const recorded = [lost, held].map((delivery) =>
      deliveries.record(delivery, RESULT, { state: 'delivered', nextAttemptAt: null }, () => undefined),
    );
    expect(await Promise.all(recorded)).toEqual([false, true]);
  });
});
