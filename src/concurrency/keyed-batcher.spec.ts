import { describe, expect, it } from '@jest/globals';

import { KeyedBatcher } from './keyed-batcher.js';

const faults = { isRowFault: () => false, isTimedOut: () => false, isOutOfReach: () => false };

describe('KeyedBatcher', () => {
  it('writes batches of one key each, within the maximum size, and serves keys round-robin', async () => {
    const batches: string[][] = [];
    const write = async (inputs: string[]) => {
      batches.push(inputs);
      await new Promise(setImmediate);
      return inputs;
    };
    const batcher = new KeyedBatcher<string, string>(write, {
      faults,
      maxSize: 4,
      sizeOf: (text) => text.length,
      concurrency: 1,
    });
    const calls = ['a', 'aa', 'aa', 'aaaaaa', 'a', 'b', 'bb'].map((text) => batcher.add(text.slice(0, 1), text));
    await Promise.all(calls);
    expect(batches).toEqual([['a', 'aa'], ['b', 'bb'], ['aa'], ['aaaaaa'], ['a']]);
  });

  it('writes a limited number of batches at a time, one per key', async () => {
    const running: string[] = [];
    let most = 0;
    const write = async (inputs: string[]) => {
      running.push(...new Set(inputs));
      most = Math.max(most, running.length);
      expect(new Set(running).size).toBe(running.length);
      await new Promise(setImmediate);
      running.splice(running.indexOf(inputs[0] ?? ''), 1);
      return inputs;
    };
    const batcher = new KeyedBatcher<string, string>(write, { faults, maxSize: 2, concurrency: 3 });
    await Promise.all([...'aaaabbbbccccdddd'].map((key) => batcher.add(key, key)));
    expect(most).toBe(3);
  });

  it('fails the calls of one key only', async () => {
    const write = (inputs: string[]) =>
      inputs.includes('a') ? Promise.reject(new Error('no')) : Promise.resolve(inputs);
    const batcher = new KeyedBatcher<string, string>(write, { faults, maxSize: 10, concurrency: 2 });
    const results = await Promise.allSettled([...'abab'].map((key) => batcher.add(key, key)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
