import { describe, expect, it } from '@jest/globals';

import { KeyedByteBudget } from './keyed-byte-budget.js';

describe('KeyedByteBudget', () => {
  it('leaves to others what one key may not use', async () => {
    const budget = new KeyedByteBudget(9, 3);
    const started: string[] = [];
    const finish: (() => void)[] = [];
    const run = (key: string) =>
      budget.run(key, 2, () => {
        started.push(key);
        return new Promise<void>((resolve) => finish.push(resolve));
      });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const all = [run('a'), run('a'), run('b')];
    await settled();
    expect(started).toEqual(['a', 'b']);
    finish.shift()?.();
    await settled();
    expect(started).toEqual(['a', 'b', 'a']);
    for (const resolve of finish) resolve();
    await Promise.all(all);
  });
});
