import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SendingLimits } from '../../../src/modules/sending/infrastructure/sending-limits.js';
import { SharedSendingRate } from '../../../src/modules/sending/infrastructure/shared-sending-rate.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { RateSlots } from '../../../src/platform/rate-limit/rate-slots.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

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

  describe('that shares a number with others', () => {
    const NUMBER = '+12065550199';
    let fast: TestAccount;

    beforeEach(async () => {
      fast = await service.createAccount();
      await use(account, 0.1);
      await use(fast, 1_000);
      // Settings reach the caches of a process a moment after they have been changed.
      const limits = service.app.get(SendingLimits, { strict: false });
      const rateOf = async ({ id }: TestAccount) => (await limits.find(id, 'sms'))?.rate;
      await waitFor('the limits', async () => (await rateOf(account)) === 0.1 && (await rateOf(fast)) === 1_000);
      await service.query('DELETE FROM sending_slots');
    });

    const use = (one: TestAccount, maxSendRate: number) =>
      one
        .asAdmin('patch', '/api/settings')
        .send({ sms: { enabled: true, region: 'us-east-1', originationNumber: NUMBER, maxSendRate } })
        .expect(200);

    const isNextSlotAfter = async (time: string) =>
      (await service.query(`SELECT FROM sending_slots WHERE next_at > clock_timestamp() + $1::interval`, [time]))
        .length > 0;

    it('is the lowest of those whose messages wait', async () => {
      const stopping = new AbortController();
      const [first, ...others] = [fast, account, fast, fast].map(({ id }) =>
        workers[0]!.waitForPermit(id, 'sms', stopping.signal),
      );
      expect(await first).toBe(true);
      await waitFor('a slot at the lower rate', () => isNextSlotAfter('2 seconds'));
      stopping.abort();
      expect(await Promise.all(others)).toContain(false);
    });

    it('is the lowest of those that are used at all workers, until a second after its last slot', async () => {
      await use(account, 0.5);
      const limits = service.app.get(SendingLimits, { strict: false });
      await waitFor('the limit', async () => (await limits.find(account.id, 'sms'))?.rate === 0.5);
      await workers[0]!.waitForPermit(account.id, 'sms', never);
      await workers[1]!.waitForPermit(fast.id, 'sms', never);
      expect(await isNextSlotAfter('500 ms')).toBe(true);
      await waitFor('the lower rate to end', async () => {
        await workers[1]!.waitForPermit(fast.id, 'sms', never);
        return !(await isNextSlotAfter('500 ms'));
      });
    });

    it('stays if the settings of the account that waited first change', async () => {
      const stopping = new AbortController();
      await workers[0]!.waitForPermit(account.id, 'sms', stopping.signal);
      await use(fast, 0.1);
      const ofFast = workers[0]!.waitForPermit(fast.id, 'sms', stopping.signal);
      const ofOther = workers[0]!.waitForPermit(account.id, 'sms', stopping.signal);
      await fast
        .asAdmin('patch', '/api/settings')
        .send({ sms: { enabled: false } })
        .expect(200);
      expect(await ofFast).toBe(true);
      stopping.abort();
      expect(await ofOther).toBe(false);
    });
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
      await waits(workers[0]!, 'email', 60, begun);
      const beside = begun.slice(begun.indexOf('email'), begun.lastIndexOf('email'));
      expect([3, 4]).toContain(beside.filter((lane) => lane === 'bulk').length);
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
    const slowedAt = performance.now();
    await workers[0]!.slowDown(account.id, 'email');
    await workers[1]!.waitForPermit(account.id, 'email', never);
    expect(performance.now() - slowedAt).toBeGreaterThan(990);
  });
});
