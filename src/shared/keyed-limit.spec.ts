import { describe, expect, it } from '@jest/globals';

import { KeyedLimit } from './keyed-limit.js';

describe('KeyedLimit', () => {
  it('runs at most so many of one key at a time, in order, and others beside them', async () => {
    const limit = new KeyedLimit(2);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (key: string, name: string) =>
      limit.run(key, () => {
        begun.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      });
    const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')];
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    ends.get('a1')?.();
    await all[0];
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const end of ends.values()) end();
    await Promise.all(all);
  });

  it('frees the place of work that fails', async () => {
    const limit = new KeyedLimit(1);
    await expect(limit.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(limit.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });
});
