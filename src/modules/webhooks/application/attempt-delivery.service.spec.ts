import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { WEBHOOK_LEASE_MS } from '../../../config/limits.js';
import { HttpFailure } from '../../../shared/http-failure.js';
import { ElapsedTime, Lease } from '../../../concurrency/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import type { ClaimedDelivery } from '../domain/webhook-delivery.js';
import { AttemptDelivery, type AttemptTarget } from './attempt-delivery.service.js';
import { WebhookClient, type WebhookPost, type WebhookReply } from './ports/webhook-client.js';
import type { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const LATER = new Date('2026-11-21T10:00:07Z');
const ATTEMPT = { id: 't', number: 2, event: 'sms.inbound', body: '{}' };
const TARGET: AttemptTarget = {
  url: 'https://example.com/hook',
  lane: 'e',
  sealedSecret: 'current',
  sealedPreviousSecret: null,
  previousSecretUntil: null,
};

class FakeClock extends Clock {
  time = NOW;

  now(): Date {
    return this.time;
  }
}

/** Responds as configured, after it has waited for a connection. */
class FakeClient extends WebhookClient {
  readonly posts: WebhookPost[] = [];
  sentHeaders: Record<string, string> = {};
  waitForConnection = (): void => undefined;

  constructor(private readonly reply: WebhookReply | Error) {
    super();
  }

  faultOf(): string | null {
    return null;
  }

  async post(request: WebhookPost): Promise<WebhookReply> {
    await Promise.resolve();
    this.posts.push(request);
    this.waitForConnection();
    if (request.isHeld?.() === false) throw new LeaseEndedError();
    this.sentHeaders = request.headers();
    if (this.reply instanceof Error) throw this.reply;
    return this.reply;
  }
}

const replyOf = (statusCode: number): WebhookReply => ({ statusCode, retryAfter: null, headers: {}, body: '' });
const claimed = (lease = new Lease(WEBHOOK_LEASE_MS, new ElapsedTime())): ClaimedDelivery => ({
  ...TARGET,
  ...{
    id: 'd',
    accountId: 'a',
    endpointId: 'e',
    attemptId: 't',
    number: 1,
    event: 'sms.inbound',
    body: '{}',
    dueAt: NOW,
  },
  lease,
});

/** The service over a client that responds like this, and over these renewals. */
function setUp(reply: WebhookReply | Error, renew: (delivery: ClaimedDelivery) => void = () => undefined) {
  const client = new FakeClient(reply);
  const clock = new FakeClock();
  let renewals = 0;
  let isRecorded = true;
  const deliveries = {
    renew: ([delivery]: ClaimedDelivery[]) => {
      renewals += 1;
      renew(delivery!);
      return Promise.resolve();
    },
    record: () => Promise.resolve(isRecorded),
  };
  const service = new AttemptDelivery(
    deliveries as unknown as WebhookDeliveryRepository,
    client,
    { seal: (text: string) => text, open: (sealed: string) => `opened ${sealed}` },
    { name: 'Acme' },
    clock,
    { next: () => 0 },
  );
  const calls = () => ({ posts: client.posts.length, renewals });
  return { service, client, clock, calls, loseClaim: () => (isRecorded = false) };
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('An attempt of a claimed delivery', () => {
  it('posts in the lane of the endpoint, classifies the response and reports what was recorded', async () => {
    const { service, client } = setUp(replyOf(503));
    const delivery = claimed();
    const attempt = await service.attempt(delivery);
    expect(client.posts).toMatchObject([{ url: TARGET.url, lane: 'e', body: '{}' }]);
    expect(attempt?.outcome).toEqual({ state: 'retrying', nextAttemptAt: new Date('2026-11-21T10:01:00Z') });
    expect(await service.record(delivery, attempt)).toEqual({
      delivery,
      statusCode: 503,
      durationMs: attempt?.result.durationMs,
      outcome: 'retrying',
    });
  });

  it('renews a lease that is about to end before it posts', async () => {
    const { service, calls } = setUp(replyOf(200), ({ lease }) => {
      lease.renew(new ElapsedTime());
    });
    expect((await service.attempt(claimed(new Lease(WEBHOOK_LEASE_MS, null))))?.outcome.state).toBe('delivered');
    expect(calls()).toEqual({ posts: 1, renewals: 1 });
  });

  it('posts nothing if the lease is lost', async () => {
    const { service, calls } = setUp(replyOf(200));
    const delivery = claimed(new Lease(WEBHOOK_LEASE_MS, null));
    const attempt = await service.attempt(delivery);
    expect(attempt).toBeNull();
    expect(calls().posts).toBe(0);
    expect(await service.record(delivery, attempt)).toMatchObject({ outcome: 'claim_lost', statusCode: null });
  });

  it('renews and posts again if the lease ended while it waited for a connection', async () => {
    const { service, client, calls } = setUp(replyOf(200), ({ lease }) => {
      lease.renew(new ElapsedTime());
    });
    const delivery = claimed();
    client.waitForConnection = () => {
      if (client.posts.length === 1) delivery.lease.lose();
    };
    expect((await service.attempt(delivery))?.outcome.state).toBe('delivered');
    expect(calls()).toEqual({ posts: 2, renewals: 1 });
  });

  it('retries an internal error like a failure of the receiver', async () => {
    const { service } = setUp(new Error('no key'));
    const attempt = await service.attempt(claimed());
    expect(attempt).toMatchObject({
      result: { statusCode: null, error: 'Internal error' },
      outcome: { state: 'retrying' },
    });
  });

  it('reports a lost claim if another worker has taken the delivery since', async () => {
    const { service, loseClaim } = setUp(replyOf(200));
    loseClaim();
    const delivery = claimed();
    const report = await service.record(delivery, await service.attempt(delivery));
    expect(report).toMatchObject({ outcome: 'claim_lost', statusCode: 200 });
  });
});

describe('A post of an attempt', () => {
  it('has the body with signed headers and returns the response', async () => {
    const { client, service } = setUp(replyOf(204));
    const result = await service.post(TARGET, ATTEMPT);
    expect(client.posts).toMatchObject([{ url: TARGET.url, lane: 'e', body: '{}' }]);
    expect(client.sentHeaders).toMatchObject({ 'X-Acme-Delivery': 't', 'X-Acme-Attempt': '2' });
    expect(client.sentHeaders).not.toHaveProperty('X-Acme-Signature-Previous');
    expect(result).toMatchObject({
      statusCode: 204,
      error: null,
      responseBody: '',
      requestHeaders: client.sentHeaders,
    });
  });

  it('is signed with the previous secret too, until that expires', async () => {
    const { client, service } = setUp(replyOf(200));
    await service.post({ ...TARGET, sealedPreviousSecret: 'old', previousSecretUntil: LATER }, ATTEMPT);
    expect(client.sentHeaders).toHaveProperty('X-Acme-Signature-Previous');
    await service.post({ ...TARGET, sealedPreviousSecret: 'old', previousSecretUntil: NOW }, ATTEMPT);
    expect(client.sentHeaders).not.toHaveProperty('X-Acme-Signature-Previous');
  });

  it('starts the attempt when a connection is free, not when it begins to wait for one', async () => {
    const { client, clock, service } = setUp(replyOf(200));
    client.waitForConnection = () => {
      clock.time = LATER;
    };
    const { startedAt } = await service.post(TARGET, ATTEMPT);
    expect(startedAt).toEqual(LATER);
    expect(client.sentHeaders['X-Acme-Timestamp']).toBe(String(LATER.getTime() / 1_000));
  });

  it('describes a response that is no success, with what it requests', async () => {
    const headers = { 'retry-after': '60' };
    const { service } = setUp({ statusCode: 429, retryAfter: '60', headers, body: 'slow down' });
    expect(await service.post(TARGET, ATTEMPT)).toMatchObject({
      statusCode: 429,
      retryAfter: '60',
      responseHeaders: headers,
      responseBody: 'slow down',
      error: 'Answered 429',
    });
  });

  it('returns a result without status if there is no response', async () => {
    const { service } = setUp(new HttpFailure('network', 'Connection refused'));
    expect(await service.post(TARGET, ATTEMPT)).toMatchObject({
      statusCode: null,
      responseHeaders: null,
      responseBody: null,
      error: 'Connection refused',
    });
  });

  it('throws if the lease has ended before anything was posted', async () => {
    const { client, service } = setUp(replyOf(200));
    const lease = new Lease(WEBHOOK_LEASE_MS, new ElapsedTime());
    client.waitForConnection = () => {
      lease.lose();
    };
    await expect(service.post({ ...TARGET, lease }, ATTEMPT)).rejects.toBeInstanceOf(LeaseEndedError);
  });

  it('throws internal errors', async () => {
    const { service } = setUp(new Error('out of memory'));
    await expect(service.post(TARGET, ATTEMPT)).rejects.toThrow('out of memory');
  });
});
