import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';

import { ElapsedTime, Lease } from '../../../shared/lease.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import type { AttemptOutcome } from '../domain/attempt-outcome.js';
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook-delivery.js';
import { AttemptDelivery } from './attempt-delivery.service.js';
import type { PostAttempt } from './post-attempt.service.js';
import type { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const LEASE_MS = 30_000;

const result = (statusCode: number): AttemptResult => ({
  startedAt: NOW,
  durationMs: 5,
  requestHeaders: {},
  statusCode,
  retryAfter: null,
  responseHeaders: null,
  responseBody: null,
  error: null,
});
const claimed = (lease = new Lease(LEASE_MS, new ElapsedTime())) =>
  ({ id: 'd', attemptId: 't', endpointId: 'e', number: 1, event: 'sms.inbound', body: '{}', lease }) as ClaimedDelivery;

/** The service over these posts and renewals; `posts` counts what was posted. */
function setUp(post: () => Promise<AttemptResult>, renew: (delivery: ClaimedDelivery) => void = () => undefined) {
  const calls = { posts: 0, renewals: 0 };
  let isRecorded = true;
  const faults: Error[] = [];
  const deliveries = {
    renew: ([delivery]: ClaimedDelivery[]) => {
      calls.renewals += 1;
      renew(delivery!);
      return Promise.resolve();
    },
    record: (_: ClaimedDelivery, __: AttemptResult, ___: AttemptOutcome, onRetry: (error: Error) => void) => {
      for (const fault of faults) onRetry(fault);
      return Promise.resolve(isRecorded);
    },
  };
  const postAttempt = {
    post: () => {
      calls.posts += 1;
      return post();
    },
  };
  const service = new AttemptDelivery(
    deliveries as unknown as WebhookDeliveryRepository,
    postAttempt as unknown as PostAttempt,
    { now: () => NOW, catchUp: () => Promise.resolve() },
    { next: () => 0 },
  );
  return { service, calls, faults, loseClaim: () => (isRecorded = false) };
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('AttemptDelivery', () => {
  it('posts, classifies the response and reports what was recorded', async () => {
    const { service } = setUp(() => Promise.resolve(result(503)));
    const delivery = claimed();
    const attempt = await service.attempt(delivery);
    expect(attempt?.outcome).toEqual({ state: 'retrying', nextAttemptAt: new Date('2026-11-21T10:01:00Z') });
    expect(await service.record(delivery, attempt)).toEqual({
      delivery,
      statusCode: 503,
      durationMs: 5,
      outcome: 'retrying',
    });
  });

  it('renews a lease that is about to end before it posts', async () => {
    const { service, calls } = setUp(
      () => Promise.resolve(result(200)),
      ({ lease }) => {
        lease.renew(new ElapsedTime());
      },
    );
    expect((await service.attempt(claimed(new Lease(LEASE_MS, null))))?.outcome.state).toBe('delivered');
    expect(calls).toEqual({ posts: 1, renewals: 1 });
  });

  it('posts nothing if the lease is lost', async () => {
    const { service, calls } = setUp(() => Promise.resolve(result(200)));
    const delivery = claimed(new Lease(LEASE_MS, null));
    const attempt = await service.attempt(delivery);
    expect(attempt).toBeNull();
    expect(calls.posts).toBe(0);
    expect(await service.record(delivery, attempt)).toMatchObject({ outcome: 'claim_lost', statusCode: null });
  });

  it('renews and posts again if the lease ended while it waited for a connection', async () => {
    let tries = 0;
    const delivery = claimed();
    const { service, calls } = setUp(
      () => {
        if (++tries > 1) return Promise.resolve(result(200));
        delivery.lease.lose();
        return Promise.reject(new LeaseEndedError());
      },
      ({ lease }) => {
        lease.renew(new ElapsedTime());
      },
    );
    expect((await service.attempt(delivery))?.outcome.state).toBe('delivered');
    expect(calls).toEqual({ posts: 2, renewals: 1 });
  });

  it('retries an internal error like a failure of the receiver', async () => {
    const { service } = setUp(() => Promise.reject(new Error('no key')));
    const attempt = await service.attempt(claimed());
    expect(attempt).toMatchObject({
      result: { statusCode: null, error: 'Internal error' },
      outcome: { state: 'retrying' },
    });
  });

  it('logs that an attempt is not recorded yet', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const { service, faults } = setUp(() => Promise.resolve(result(200)));
    faults.push(new Error('deadlock detected'));
    const delivery = claimed();
    expect(await service.record(delivery, await service.attempt(delivery))).toMatchObject({ outcome: 'delivered' });
    expect(warn.mock.calls).toEqual([['Attempt t is not recorded yet: deadlock detected']]);
    warn.mockRestore();
  });

  it('reports a lost claim if another worker has taken the delivery since', async () => {
    const { service, loseClaim } = setUp(() => Promise.resolve(result(200)));
    loseClaim();
    const delivery = claimed();
    const report = await service.record(delivery, await service.attempt(delivery));
    expect(report).toMatchObject({ outcome: 'claim_lost', statusCode: 200 });
  });
});
