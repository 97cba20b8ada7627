import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SendingLimits } from '../../src/modules/sending/infrastructure/sending-limits.js';
import { SharedSendingRate } from '../../src/modules/sending/infrastructure/shared-sending-rate.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { RateSlots } from '../../src/platform/rate-limit/rate-slots.js';
import type { TestAccount } from '../support/account.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const RATE = 100;

/** Each SharedSendingRate is a worker; they share one database. */
describe('The sending rate of an account', () => {
  let service: TestService;
  let account: TestAccount;
  let workers: SharedSendingRate[];

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    const limits = service.app.get(SendingLimits, { strict: false });
    const metrics = service.app.get(Metrics, { strict: false });
    workers = [1, 2].map(() => new SharedSendingRate(new RateSlots(service.database), limits, metrics));
  });

  const limitTo = (maxSendRate: number) =>
    account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: '127.0.0.1', port: 1, maxSendRate } })
      .expect(200);
  const never = new AbortController().signal;

  it('limits two workers together', async () => {
    await limitTo(RATE);
    const startedAt = performance.now();
    const times: number[] = [];
    const permits = workers.flatMap((worker) =>
      Array.from({ length: RATE }, async () => {
        expect(await worker.waitForPermit(account.id, 'email', never)).toBe(true);
        times.push(performance.now());
      }),
    );
    await Promise.all(permits);
    expect(times).toHaveLength(2 * RATE);
    expect(times.filter((at, n) => at < startedAt + (n * 1_000) / RATE)).toEqual([]);
  });

  it('is separate for SMS and e-mail, and shared by accounts with the same number', async () => {
    const sms = { enabled: true, region: 'us-east-1', originationNumber: '+12065550100', maxSendRate: RATE };
    const other = await service.createAccount();
    for (const one of [account, other]) await one.asAdmin('patch', '/api/settings').send({ sms }).expect(200);
    await workers[0]!.waitForPermit(account.id, 'sms', never);
    await workers[1]!.waitForPermit(other.id, 'sms', never);
    await workers[0]!.waitForPermit(account.id, 'email', never);
    expect(
      await service.query(`SELECT subject FROM sending_slots WHERE subject LIKE 'sns%' OR subject = $1`, [account.id]),
    ).toEqual([{ subject: 'sns us-east-1  +12065550100' }]);
  });

  describe('for campaigns', () => {
    const waits = (worker: SharedSendingRate, lane: 'bulk' | 'email', count: number, begun: string[]) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          await worker.waitForPermit(account.id, lane, never);
          begun.push(lane);
        }),
      );

    it('serves other messages of the worker first, and a campaign at least every twentieth time', async () => {
      await limitTo(RATE);
      const begun: string[] = [];
      const bulk = waits(workers[0]!, 'bulk', 60, begun);
      await waitFor('the first', () => begun.length > 0);
      const earlier = begun.length;
      await waits(workers[0]!, 'email', 60, begun);
      const meanwhile = begun.slice(earlier).filter((lane) => lane === 'bulk').length;
      expect(meanwhile).toBeGreaterThanOrEqual(3);
      expect(meanwhile).toBeLessThanOrEqual(5);
      await bulk;
    });

    it('serves messages of other workers first, but does not starve', async () => {
      await limitTo(RATE);
      const begun: string[] = [];
      const bulk = waits(workers[0]!, 'bulk', 20, begun);
      await waits(workers[1]!, 'email', 200, begun);
      const meanwhile = begun.filter((lane) => lane === 'bulk').length;
      expect(meanwhile).toBeGreaterThanOrEqual(3);
      expect(meanwhile).toBeLessThanOrEqual(20);
      await bulk;
    });
  });

  it('does not delay accounts without a limit', async () => {
    await Promise.all(Array.from({ length: 500 }, () => workers[0]!.waitForPermit(account.id, 'email', never)));
    expect(await service.query('SELECT * FROM sending_slots WHERE subject = $1', [account.id])).toEqual([]);
  });

  it('stops waiting once the worker is stopping', async () => {
    await limitTo(0.1);
    const stopping = new AbortController();
    expect(await workers[0]!.waitForPermit(account.id, 'email', stopping.signal)).toBe(true);
    const waiting = Array.from({ length: 5 }, () => workers[0]!.waitForPermit(account.id, 'email', stopping.signal));
    stopping.abort();
    expect(await Promise.all(waiting)).toEqual([false, false, false, false, false]);
    expect(await workers[0]!.waitForPermit(account.id, 'email', stopping.signal)).toBe(false);
  });

  it('rejects all waiting messages if the limiter fails', async () => {
    await limitTo(RATE);
    await service.query('ALTER TABLE sending_slots RENAME TO sending_slots_away');
    try {
      const permits = await Promise.allSettled(
        Array.from({ length: 3 }, () => workers[0]!.waitForPermit(account.id, 'email', never)),
      );
      expect(permits.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    } finally {
      await service.query('ALTER TABLE sending_slots_away RENAME TO sending_slots');
    }
    expect(await workers[0]!.waitForPermit(account.id, 'email', never)).toBe(true);
  });

  it('slows all workers down when the provider throttles', async () => {
    await limitTo(RATE);
    await workers[0]!.waitForPermit(account.id, 'email', never);
    await workers[0]!.slowDown(account.id, 'email');
    const slowedAt = performance.now();
    await workers[1]!.waitForPermit(account.id, 'email', never);
    expect(performance.now() - slowedAt).toBeGreaterThan(900);
  });
});
