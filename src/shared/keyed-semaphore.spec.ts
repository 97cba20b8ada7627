import { describe, expect, it } from '@jest/globals';

import { KeyedSemaphore } from './keyed-semaphore.js';

describe('KeyedSemaphore', () => {
  it('runs a limited number per key at a time, in order, and keys independently', async () => {
    const semaphore = new KeyedSemaphore(2);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (key: string, name: string) =>
      semaphore.run(key, () => {
        started.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      });
    const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')];
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends.get('a1')?.();
    await all[0];
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const end of ends.values()) end();
    await Promise.all(all);
  });

  it('releases the permit of work that fails', async () => {
    const semaphore = new KeyedSemaphore(1);
    await expect(semaphore.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(semaphore.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('never exceeds the limit of a key while its work comes and goes', async () => {
    const semaphore = new KeyedSemaphore(2);
    let [running, most] = [0, 0];
    const work = async (steps: number) => {
      most = Math.max(most, ++running);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      running -= 1;
    };
    const runSeveral = async (steps: number) => {
      for (let i = 0; i < 20; i++) await semaphore.run('a', () => work((i * steps) % 4));
    };
    await Promise.all([1, 2, 3, 5].map(runSeveral));
    expect(most).toBe(2);
  });
});
