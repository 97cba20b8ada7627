import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { nextIteration } from '../../test/support/event-loop.js';
import { FairSemaphore, type Release } from './fair-semaphore.js';

const LIMITS = { perKey: 2, total: 3, maxWaitingPerKey: 2, maxWaiting: 3 };

describe('FairSemaphore', () => {
  const started: string[] = [];
  const semaphore = () => {
    started.length = 0;
    const permits = new FairSemaphore(LIMITS);
    const acquire = async (name: string, options = {}): Promise<Release> => {
      const release = await permits.acquire(name.charAt(0), options);
      if (!release) throw new Error(`${name} was refused`);
      started.push(name);
      return release;
    };
    return { permits, acquire };
  };
  afterEach(() => {
    jest.useRealTimers();
  });

  it('limits the permits of each key and of all keys together', async () => {
    const { acquire } = semaphore();
    const [a1] = await Promise.all([acquire('a1'), acquire('a2'), acquire('b1')]);
    const waiting = [acquire('a3'), acquire('b2'), acquire('c1')];
    await nextIteration();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    a1();
    await nextIteration();
    expect(started).toHaveLength(4);
    (await Promise.race(waiting))();
    await nextIteration();
    expect(started).toHaveLength(5);
  });

  it('serves waiting keys round-robin, however many wait for one of them', async () => {
    const { acquire } = semaphore();
    const [x1] = await Promise.all([acquire('x1'), acquire('a1'), acquire('a2')]);
    const waiting = [acquire('x2'), acquire('x3'), acquire('b1')];
    x1();
    await nextIteration();
    expect(started.at(-1)).toBe('x2');
    (await waiting[0]!)();
    await nextIteration();
    expect(started.at(-1)).toBe('b1');
  });

  it('refuses beyond the queue of a key and beyond the queue of all', async () => {
    const { permits, acquire } = semaphore();
    await Promise.all([acquire('a1'), acquire('a2'), acquire('b1')]);
    void acquire('a3');
    void acquire('a4');
    expect(await permits.acquire('a')).toBeNull();
    void acquire('b2');
    expect(await permits.acquire('c')).toBeNull();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('lets callers exceed the queue that are bounded otherwise', async () => {
    const { acquire } = semaphore();
    const [a1] = await Promise.all([acquire('a1'), acquire('a2'), acquire('b1')]);
    void acquire('a3', { mayExceedQueue: true });
    void acquire('a4', { mayExceedQueue: true });
    void acquire('a5', { mayExceedQueue: true });
    void acquire('a6');
    a1();
    await nextIteration();
    expect(started.at(-1)).toBe('a3');
  });

  it('removes callers that have gone from the queue', async () => {
    const { permits, acquire } = semaphore();
    const [a1, a2] = await Promise.all([acquire('a1'), acquire('a2')]);
    const gone = new AbortController();
    const left = permits.acquire('a', { signal: gone.signal });
    const stays = acquire('a4');
    gone.abort();
    expect(await left).toBeNull();
    expect(await permits.acquire('a', { signal: gone.signal })).toBeNull();
    a1();
    (await stays)();
    a2();
    await acquire('a5');
  });

  it('refuses callers that have waited too long', async () => {
    jest.useFakeTimers();
    const { permits, acquire } = semaphore();
    await Promise.all([acquire('a1'), acquire('a2')]);
    const late = permits.acquire('a', { waitMs: 1_000 });
    jest.advanceTimersByTime(1_000);
    expect(await late).toBeNull();
  });

  it('releases a permit only once', async () => {
    const { permits, acquire } = semaphore();
    const a1 = await acquire('a1');
    a1();
    a1();
    await Promise.all([acquire('a2'), acquire('a3')]);
    expect(await Promise.race([permits.acquire('a'), nextIteration()])).toBeUndefined();
  });
});
