import { describe, expect, it } from '@jest/globals';

import { afterTimersOf } from '../../../../test/support/event-loop.js';
import { AccountLanes, LANE_LIMITS } from './account-lanes.js';

const DETACH_AFTER_MS = 20;

/** Deliveries end when the test says so. */
function lanesWith(limits: Partial<typeof LANE_LIMITS> = {}) {
  const running: { accountId: string; ids: string[]; end: (error?: Error) => void }[] = [];
  const requeued: { accountId: string; chunks: string[][]; delayMs: number }[] = [];
  const detached: Promise<void>[] = [];
  const stop = new AbortController();
  const lanes = new AccountLanes(
    {
      deliver: (accountId, ids) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => {
            running.splice(running.indexOf(delivery), 1);
            if (error) reject(error);
            else resolve();
          };
          const delivery = { accountId, ids, end };
          running.push(delivery);
        }),
      requeue: (accountId, chunks, delayMs) => Promise.resolve(void requeued.push({ accountId, chunks, delayMs })),
      isTemporary: (error) => (error as Error).message === 'database down',
    },
    { ...LANE_LIMITS, detachAfterMs: DETACH_AFTER_MS, ...limits },
  );
  const deliver = (accountId: string, ids: string[]) =>
    lanes.deliver(accountId, ids, stop.signal, (work) => detached.push(work));
  return { deliver, running, requeued, detached, stop };
}

const nextChunk = () => new Promise(setImmediate);

const runningIds = (running: readonly { ids: string[] }[]) => running.map(({ ids }) => ids);

describe('AccountLanes', () => {
  it('delivers the ids in chunks, one after the other', async () => {
    const { deliver, running } = lanesWith({ chunkSize: 2 });
    const done = deliver('a', ['1', '2', '3']);
    expect(runningIds(running)).toEqual([['1', '2']]);
    running[0]?.end();
    await nextChunk();
    expect(runningIds(running)).toEqual([['3']]);
    running[0]?.end();
    await done;
  });

  it('delivers a limited number of messages per account at a time, and leaves the other ids to the running work', async () => {
    const { deliver, running } = lanesWith({ runningPerAccount: 2 });
    const jobs = [deliver('a', ['1']), deliver('a', ['2'])];
    await deliver('a', ['3']);
    await deliver('a', ['4']);
    expect(runningIds(running)).toEqual([['1'], ['2']]);
    running[0]?.end();
    await jobs[0];
    expect(runningIds(running)).toEqual([['2'], ['3']]);
  });

  it('delivers further messages of an account while the relay takes long for some', async () => {
    const { deliver, running } = lanesWith();
    for (let i = 0; i < 10; i++) void deliver('a', [String(i)]);
    void deliver('a', ['10', '11']);
    await nextChunk();
    expect(runningIds(running)).toHaveLength(11);
  });

  it('delivers other accounts while one is at its limit', async () => {
    const { deliver, running } = lanesWith({ runningPerAccount: 1 });
    void deliver('a', ['1']);
    await deliver('a', ['2']);
    void deliver('b', ['3']);
    expect(runningIds(running)).toEqual([['1'], ['3']]);
  });

  it('re-queues with a delay what exceeds the bound on waiting ids, that of one account together', async () => {
    const { deliver, running, requeued } = lanesWith({ runningPerAccount: 1, waitingPerAccount: 3, idsPerJob: 4 });
    void deliver('a', ['1']);
    await deliver('a', ['2', '3']);
    await deliver('a', ['4']);
    const beyond = [deliver('a', ['5', '6', '7']), deliver('b', ['8', '9', '10', '11']), deliver('a', ['12', '13'])];
    expect(requeued).toEqual([]);
    await Promise.all(beyond);
    const { requeueDelayMs: delayMs } = LANE_LIMITS;
    const afterFour = delayMs + 4 / LANE_LIMITS.returningPerMs;
    expect(requeued).toEqual([
      { accountId: 'a', chunks: [['5', '6', '7', '12']], delayMs },
      { accountId: 'a', chunks: [['13']], delayMs: Math.round(afterFour) },
      { accountId: 'b', chunks: [['8', '9', '10', '11']], delayMs },
    ]);
    expect(runningIds(running)).toEqual([['1']]);
  });

  it('lets the re-queued ids of an account return one after the other', async () => {
    const { deliver, requeued } = lanesWith({ runningPerAccount: 1, waitingPerAccount: 1, returningPerMs: 1 / 20_000 });
    void deliver('a', ['1']);
    await deliver('a', ['2']);
    await deliver('a', ['3', '4']);
    await deliver('a', ['5']);
    await deliver('b', ['6', '7']);
    const { requeueDelayMs } = LANE_LIMITS;
    const [first, second, other] = requeued;
    expect(first).toEqual({ accountId: 'a', chunks: [['3', '4']], delayMs: requeueDelayMs });
    expect(second?.delayMs).toBeGreaterThan(40_000);
    expect(second?.delayMs).toBeLessThanOrEqual(40_000 + requeueDelayMs);
    expect(other).toEqual({ accountId: 'b', chunks: [['6', '7']], delayMs: requeueDelayMs });
  });

  it('leaves to the sweep what would return later than the sweep enqueues it again', async () => {
    const { deliver, requeued } = lanesWith({
      runningPerAccount: 1,
      waitingPerAccount: 1,
      idsPerJob: 2,
      returningPerMs: 1 / 40_000,
    });
    void deliver('a', ['1']);
    await deliver('a', ['2']);
    await deliver('a', ['3', '4', '5', '6']);
    await deliver('a', ['7']);
    await deliver('b', ['8', '9']);
    expect(requeued.map(({ chunks }) => chunks)).toEqual([[['3', '4']], [['8', '9']]]);
  });

  it('keeps the jobs whose ids cannot be re-queued', async () => {
    const lanes = new AccountLanes(
      {
        deliver: () => Promise.resolve(),
        requeue: () => Promise.reject(new Error('queue down')),
        isTemporary: () => false,
      },
      { ...LANE_LIMITS, waitingPerAccount: 0, collectMs: 1 },
    );
    const { signal } = new AbortController();
    const jobs = ['1', '2'].map((id) => lanes.deliver('a', [id], signal, () => undefined));
    for (const job of await Promise.allSettled(jobs)) expect(job).toMatchObject({ reason: new Error('queue down') });
  });

  it('detaches work that takes too long, and frees the worker slot', async () => {
    const { deliver, running, detached } = lanesWith();
    await deliver('a', ['1']);
    expect(detached).toHaveLength(1);
    expect(runningIds(running)).toEqual([['1']]);
    running[0]?.end();
    await detached[0];
  });

  it('does not detach work that ends in time', async () => {
    const { deliver, running, detached } = lanesWith({ detachAfterMs: 10_000 });
    const done = deliver('a', ['1']);
    running[0]?.end();
    await done;
    expect(detached).toEqual([]);
  });

  it('keeps the worker slots when too much work is detached', async () => {
    const { deliver, running, detached } = lanesWith({ detached: 1 });
    await deliver('a', ['1']);
    let isDone = false;
    const second = deliver('b', ['2']).then(() => (isDone = true));
    await afterTimersOf(DETACH_AFTER_MS);
    expect({ isDone, detached: detached.length }).toEqual({ isDone: false, detached: 1 });
    running[1]?.end();
    await second;
  });

  it('re-queues waiting ids at once when it is stopped, after the running chunk', async () => {
    const { deliver, running, requeued, stop } = lanesWith({ chunkSize: 1 });
    const done = deliver('a', ['1', '2', '3']);
    stop.abort();
    expect(requeued).toEqual([]);
    running[0]?.end();
    await done;
    expect(requeued).toEqual([{ accountId: 'a', chunks: [['2', '3']], delayMs: 0 }]);
    await deliver('a', ['4']);
    expect(requeued[1]).toEqual({ accountId: 'a', chunks: [['4']], delayMs: 0 });
    expect(running).toEqual([]);
  });

  it('delivers the waiting ids after a failed chunk, and reports the failure at the end', async () => {
    const { deliver, running, requeued } = lanesWith({ chunkSize: 1, runningPerAccount: 1, detachAfterMs: 10_000 });
    const failed = expect(deliver('a', ['1', '2'])).rejects.toThrow('defect in 1');
    await deliver('a', ['3']);
    for (const ids of [['1'], ['2'], ['3']]) {
      expect(runningIds(running)).toEqual([ids]);
      running[0]?.end(ids[0] === '3' ? undefined : new Error(`defect in ${ids[0]}`));
      await nextChunk();
    }
    await failed;
    expect(requeued).toEqual([]);
  });

  it('re-queues a chunk with a delay if its fault is temporary', async () => {
    const { deliver, running, requeued } = lanesWith({ chunkSize: 2 });
    const failed = deliver('a', ['1', '2']);
    running[0]?.end(new Error('database down'));
    await expect(failed).rejects.toThrow('database down');
    expect(requeued).toEqual([{ accountId: 'a', chunks: [['1', '2']], delayMs: LANE_LIMITS.requeueDelayMs }]);
  });
});
