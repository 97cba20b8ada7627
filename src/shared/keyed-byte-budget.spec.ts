import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { nextIteration } from '../../test/support/event-loop.js';
import type { ReleaseBytes } from './byte-budget.js';
import { KeyedByteBudget } from './keyed-byte-budget.js';

const SLOW_AFTER_MS = 1_000;
const { signal: never } = new AbortController();

describe('KeyedByteBudget', () => {
  let taken: string[];
  let held: Map<string, ReleaseBytes>;
  let budget: KeyedByteBudget;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    taken = [];
    held = new Map();
    budget = new KeyedByteBudget({ total: 4, perKey: 2, slow: 2, slowAfterMs: SLOW_AFTER_MS });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  async function take(...keys: string[]) {
    for (const key of keys)
      void budget.acquire(key, 2, never).then((release) => {
        taken.push(key);
        held.set(key, release!);
      });
    await nextIteration();
  }
  const give = async (key: string) => {
    held.get(key)?.();
    await nextIteration();
  };

  it('leaves to others what one key may not use', async () => {
    await take('a', 'a', 'b');
    expect(taken).toEqual(['a', 'b']);
    await give('a');
    expect(taken).toEqual(['a', 'b', 'a']);
  });

  it('lets others use what slow work has had for long, and its own key not', async () => {
    await take('a', 'b', 'a', 'c', 'd');
    expect(taken).toEqual(['a', 'b']);
    jest.advanceTimersByTime(SLOW_AFTER_MS);
    await take();
    expect(taken).toEqual(['a', 'b', 'c']); // b is slow, too, but there is no more memory for slow work
    await give('b');
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
    await give('a');
    await give('c');
    expect(taken).toEqual(['a', 'b', 'c', 'd', 'a']);
  });

  it('gives a key back what it had while it waited for the others', async () => {
    await take('a', 'b');
    const stop = new AbortController();
    const stopped = budget.acquire('c', 2, stop.signal);
    stop.abort();
    expect(await stopped).toBeNull();
    await take('c');
    await give('a');
    expect(taken).toEqual(['a', 'b', 'c']);
  });
});
