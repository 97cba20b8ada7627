import { describe, expect, it } from '@jest/globals';

import { Batcher } from './batcher.js';

const NO_FAULTS = { isRowFault: () => false, isTimedOut: () => false, isOutOfReach: () => false };

describe('Batcher', () => {
  it('writes the calls of one event-loop iteration together, and calls that arrive meanwhile as the next batch', async () => {
    const batches: number[][] = [];
    let meanwhile: Promise<number[]> | undefined;
    const batcher = new Batcher<number, number>(
      (inputs) => {
        batches.push(inputs);
        meanwhile ??= Promise.all([3, 4].map((input) => batcher.add(input)));
        return Promise.resolve(inputs.map((input) => input * 2));
      },
      { faults: NO_FAULTS },
    );
    await expect(Promise.all([1, 2].map((input) => batcher.add(input)))).resolves.toEqual([2, 4]);
    await expect(meanwhile).resolves.toEqual([6, 8]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('keeps batches within the maximum size', async () => {
    const sizes: number[] = [];
    const write = (inputs: number[]) => Promise.resolve((sizes.push(inputs.length), inputs));
    const batcher = new Batcher<number, number>(write, { faults: NO_FAULTS, maxSize: 10 });
    await Promise.all(Array.from({ length: 25 }, (_, i) => batcher.add(i)));
    expect(sizes).toEqual([10, 10, 5]);
  });

  it('fails the one call whose result is an error', async () => {
    const batcher = new Batcher<number, number>(
      (inputs) => Promise.resolve(inputs.map((input) => (input === 2 ? new Error('two') : input))),
      { faults: NO_FAULTS },
    );
    const results = await Promise.allSettled([1, 2, 3].map((input) => batcher.add(input)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('writes a batch one by one when a row made it fail', async () => {
    const write = (inputs: number[]) =>
      inputs.includes(3) ? Promise.reject(new Error('three')) : Promise.resolve(inputs);
    const batcher = new Batcher<number, number>(write, {
      faults: { ...NO_FAULTS, isRowFault: () => true },
      maxSize: 10,
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map((input) => batcher.add(input)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('writes calls that were not tried before those that timed out, if all are repeated', async () => {
    const faults = { ...NO_FAULTS, isTimedOut: () => true };
    const writes: number[][] = [];
    const write = (inputs: number[]) => {
      writes.push(inputs);
      return writes.length < 4 ? Promise.reject(new Error('slow')) : Promise.resolve(inputs);
    };
    const batcher = new Batcher<number, number>(write, { faults });
    const repeat = (input: number) => batcher.add(input).catch(() => batcher.add(input));
    await Promise.all([1, 2, 3, 4].map(repeat));
    expect(writes).toEqual([[1, 2, 3, 4], [1], [2], [3, 4, 1, 2]]);
  });

  it('writes a batch that timed out one by one, until the database turns out to be slow', async () => {
    const slow = new Error('canceling statement due to statement timeout');
    const faults = { ...NO_FAULTS, isTimedOut: (error: unknown) => error === slow };
    const writes: number[][] = [];
    const write = (inputs: number[]) => {
      writes.push(inputs);
      return inputs.some((input) => input > 2) ? Promise.reject(slow) : Promise.resolve(inputs);
    };
    const batcher = new Batcher<number, number>(write, { faults, maxSize: 10 });
    const results = await Promise.allSettled([0, 1, 3, 2, 4, 5, 6].map((input) => batcher.add(input)));
    const outcomes = results.map(({ status }) => status === 'fulfilled');
    expect(outcomes).toEqual([true, true, false, true, false, false, false]);
    expect(writes).toEqual([[0, 1, 3, 2, 4, 5, 6], [0], [1], [3], [2], [4]]);
  });

  it('fails all calls of a batch that could not be written, and continues with the next', async () => {
    let isDown = true;
    const batcher = new Batcher<number, number>(
      (inputs) => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(inputs)),
      { faults: NO_FAULTS },
    );
    const results = await Promise.allSettled([1, 2].map((input) => batcher.add(input)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    await expect(batcher.add(3)).resolves.toBe(3);
  });
});
