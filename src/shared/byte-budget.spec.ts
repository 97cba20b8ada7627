import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../test/support/event-loop.js';
import { ByteBudget, type ReleaseBytes } from './byte-budget.js';

const { signal: never } = new AbortController();

describe('ByteBudget', () => {
  it('gives out at most as many as there are, in the order of the calls', async () => {
    const budget = new ByteBudget(10);
    const taken: number[] = [];
    const held: ReleaseBytes[] = [];
    for (const bytes of [6, 4, 5, 1, 99])
      void budget.acquire(bytes, never).then((release) => {
        taken.push(bytes);
        held.push(release!);
      });
    await nextIteration();
    expect(taken).toEqual([6, 4]);
    held.shift()!();
    await nextIteration();
    expect(taken).toEqual([6, 4, 5, 1]); // 99 waits until it is alone
    for (const release of held.splice(0)) release();
    await nextIteration();
    expect(taken.at(-1)).toBe(99);
    expect(budget.isIdle).toBe(false);
    held.shift()!();
    expect(budget.isIdle).toBe(true);
  });

  it('counts bytes that are given back twice once', async () => {
    const budget = new ByteBudget(2);
    const release = (await budget.acquire(1, never))!;
    release();
    release();
    expect(budget.isIdle).toBe(true);
  });

  it('ends the wait when it is aborted, and goes on to the next', async () => {
    const budget = new ByteBudget(2);
    const release = (await budget.acquire(1, never))!;
    const stop = new AbortController();
    const stopped = budget.acquire(2, stop.signal);
    const next = budget.acquire(1, never);
    stop.abort();
    expect(await stopped).toBeNull();
    expect(await budget.acquire(2, stop.signal)).toBeNull();
    (await next)!();
    release();
    expect(budget.isIdle).toBe(true);
  });

  it('refuses instead of waiting', async () => {
    const budget = new ByteBudget(2);
    const release = budget.tryAcquire(2);
    expect(budget.tryAcquire(1)).toBeNull();
    release!();
    expect(budget.tryAcquire(1)).not.toBeNull();
  });
});
