import { describe, expect, it } from '@jest/globals';

import { TtlCache } from './ttl-cache.js';

describe('TtlCache', () => {
  function setUp(freshForMs: number | ((value: string) => number), max = 10) {
    const clock = { now: 0 };
    const loaded: string[] = [];
    const cache = new TtlCache<string>({ max, freshForMs, now: () => clock.now });
    const get = (key: string, value: string | Promise<string> = key) =>
      cache.get(key, () => {
        loaded.push(key);
        return Promise.resolve(value);
      });
    return { clock, loaded, cache, get };
  }

  it('loads again once the value is no longer fresh, and not before', async () => {
    const { clock, loaded, get } = setUp(1_000);
    expect(await get('a', 'old')).toBe('old');
    clock.now = 999;
    expect(await get('a', 'new')).toBe('old');
    clock.now = 1_000;
    expect(await get('a', 'new')).toBe('new');
    clock.now = 1_999;
    expect(await get('a', 'newest')).toBe('new');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('loads once for concurrent callers', async () => {
    const { loaded, get } = setUp(1_000);
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['a', 'b', 'a']);
    expect(loaded).toEqual(['a', 'b']);
  });

  it('keeps a value for a lifetime that depends on it, from the end of the load', async () => {
    const { clock, loaded, get } = setUp((value) => (value === 'none' ? 10 : 1_000));
    let loadA: (value: string) => void = () => undefined;
    const first = get('a', new Promise((resolve) => (loadA = resolve)));
    clock.now = 5_000;
    const second = get('a');
    loadA('none');
    expect(await Promise.all([first, second])).toEqual(['none', 'none']);
    clock.now = 5_009;
    expect(await get('a')).toBe('none');
    clock.now = 5_010;
    expect(await get('a', 'some')).toBe('some');
    clock.now = 6_009;
    expect(await get('a')).toBe('some');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('rejects all waiting callers when a load fails, and loads again afterwards', async () => {
    const { loaded, get } = setUp(1_000);
    const failure = Promise.reject(new Error('away'));
    const waiting = await Promise.allSettled([get('a', failure), get('a')]);
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get('a')).toBe('a');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('keeps a newer value when an older load fails late', async () => {
    const { clock, loaded, get } = setUp(1_000);
    let fail: (error: Error) => void = () => undefined;
    const late = get('a', new Promise((_, reject) => (fail = reject)));
    clock.now = 1_000;
    expect(await get('a', 'new')).toBe('new');
    fail(new Error('away'));
    await expect(late).rejects.toThrow('away');
    expect(await get('a')).toBe('new');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('forgets what was loaded first when it has too many', async () => {
    const { loaded, get } = setUp(1_000, 2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });

  it('loads forgotten values again, without failing those who wait for one', async () => {
    const { loaded, cache, get } = setUp(1_000);
    let loadA: (value: string) => void = () => undefined;
    const waiting = get('a', new Promise((resolve) => (loadA = resolve)));
    await get('b');
    cache.forget((key) => key === 'a');
    expect(await Promise.all([get('a', 'new'), get('b')])).toEqual(['new', 'b']);
    loadA('old');
    expect(await waiting).toBe('old');
    expect(await get('a')).toBe('new');
    expect(loaded).toEqual(['a', 'b', 'a']);
  });
});
