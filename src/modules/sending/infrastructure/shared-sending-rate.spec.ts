import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import type { Metrics } from '../../../platform/metrics/metrics.js';
import type { RateSlots } from '../../../platform/rate-limit/rate-slots.js';
import type { DeliveryLane } from '../../../shared/channel.js';
import { MESSAGES_PER_PAUSED_TURN, PAUSE_MS } from './bulk-turns.js';
import type { SendingLimit, SendingLimits } from './sending-limits.js';
import { SharedSendingRate } from './shared-sending-rate.js';

interface Request {
  count: number;
  intervalMs: number;
}

/** Every slot is free. */
function rateWith(find: (accountId: string) => Promise<SendingLimit | null>) {
  const requests: Request[] = [];
  const slots = {
    reserve: (_key: string, request: Request) => {
      requests.push(request);
      return Promise.resolve({ count: request.count, waitMs: 0, intervalMs: request.intervalMs });
    },
  };
  const rate = new SharedSendingRate(
    slots as unknown as RateSlots,
    { find } as unknown as SendingLimits,
    { sendingSlotsDropped: { inc: () => undefined } } as unknown as Metrics,
  );
  const wait = (accountId: string, lane: DeliveryLane = 'email') =>
    rate.waitForPermit(accountId, lane, new AbortController().signal);
  return { wait, requests };
}

const limit = (rate: number): SendingLimit => ({ rate, key: 'shared' });
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

describe('SharedSendingRate', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([null, limit(1_000)])('lets ten bulk messages begin in an iteration of the event loop: %j', async (found) => {
    const { wait } = rateWith(() => Promise.resolve(found));
    let iterations = 0;
    const begunIn: number[] = [];
    const all = Promise.all(
      Array.from({ length: 25 }, async () => {
        await wait('a', 'bulk');
        begunIn.push(iterations);
      }),
    );
    for (let isDone = false; !isDone; iterations++) {
      await turns(1);
      isDone = begunIn.length === 25;
    }
    await all;
    for (const [i, iteration] of begunIn.slice(10).entries()) expect(iteration).toBeGreaterThan(begunIn[i] ?? Infinity);
  });

  it('lets few bulk messages begin at a time, with pauses, while others are being submitted', async () => {
    const { wait } = rateWith(() => Promise.resolve(null));
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const timeouts = jest.spyOn(globalThis, 'setTimeout'); // of the whole process
    await wait('b');
    await Promise.all(Array.from({ length: MESSAGES_PER_PAUSED_TURN + 1 }, () => wait('a', 'bulk')));
    expect(timeouts.mock.calls.filter(([, ms]) => ms === PAUSE_MS)).toHaveLength(2);
  });

  it('does not lift the limit for a message that arrives while the last one before it leaves the limit', async () => {
    let asked = 0;
    let leave: (none: null) => void = () => undefined;
    const { wait, requests } = rateWith((accountId) => {
      if (accountId === 'b') return Promise.resolve(limit(10));
      asked += 1;
      if (asked === 1) return Promise.resolve(limit(10));
      return asked === 2 ? new Promise((resolve) => (leave = resolve)) : Promise.resolve(null);
    });
    const permits = [wait('a')];
    await turns(3);
    permits.push(wait('b'));
    await turns(3);
    leave(null);
    expect(await Promise.all(permits)).toEqual([true, true]);
    expect(requests).toEqual([expect.objectContaining({ count: 1, intervalMs: 1_000 / 9.7 })]);
  });

  it('reserves slots of a length, however the limits of accounts change meanwhile', async () => {
    const answer = fc.record({
      limit: fc.option(fc.double({ min: 100, max: 10_000, noNaN: true }).map(limit)),
      turns: fc.nat(3),
    });
    const arrival = fc.record({ accountId: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1 }),
        fc.array(arrival, { minLength: 1, maxLength: 6 }),
        async (answers, arrivals) => {
          let asked = 0;
          const { wait, requests } = rateWith(async () => {
            const next = answers[asked++] ?? { limit: limit(1_000), turns: 0 };
            await turns(next.turns);
            return next.limit;
          });
          const permits: Promise<boolean>[] = [];
          for (const { accountId, turns: pause } of arrivals) {
            permits.push(wait(accountId));
            await turns(pause);
          }
          expect(await Promise.all(permits)).toEqual(arrivals.map(() => true));
          for (const { count, intervalMs } of requests) {
            expect(count).toBeGreaterThan(0);
            expect(intervalMs).toBeGreaterThan(0);
            expect(intervalMs).toBeLessThanOrEqual(1_000 / 97);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
