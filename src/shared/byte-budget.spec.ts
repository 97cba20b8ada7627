import { describe, expect, it } from '@jest/globals';

import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('runs at most as much at a time as there is, in the order of the calls', async () => {
    const budget = new ByteBudget(10);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const run = (bytes: number) =>
      budget.run(bytes, () => {
        started.push(bytes);
        return new Promise<void>((resolve) => finish.push(resolve));
      });
    const all = [run(6), run(4), run(5), run(1), run(99)];
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect(started).toEqual([6, 4]);
    finish.shift()?.();
    await settled();
    expect(started).toEqual([6, 4, 5, 1]); // 99 waits until it is alone
    for (const resolve of finish.splice(0)) resolve();
    await settled();
    expect(started.at(-1)).toBe(99);
    expect(budget.isIdle).toBe(false);
    finish.shift()?.();
    await Promise.all(all);
    expect(budget.isIdle).toBe(true);
  });

  it('gives back what failing work had', async () => {
    const budget = new ByteBudget(1);
    await expect(budget.run(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await budget.run(1, () => Promise.resolve('yes'))).toBe('yes');
  });
});
