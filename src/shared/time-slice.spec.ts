import { describe, expect, it } from '@jest/globals';

import { TimeSlice } from './time-slice.js';

const work = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('TimeSlice', () => {
  it('lets the event loop iterate between the slices of a loop', async () => {
    let iterations = 0;
    let isDone = false;
    const iterate = () => {
      iterations += 1;
      if (!isDone) setImmediate(iterate);
    };
    setImmediate(iterate);
    const slice = new TimeSlice();
    let slices = 0;
    for (let step = 0; step < 50; step++) {
      work(1);
      if (!slice.isOver) continue;
      await slice.next();
      slices += 1;
    }
    isDone = true;
    expect(slices).toBeGreaterThan(0);
    expect(iterations).toBeGreaterThanOrEqual(slices);
  });

  it('resumes one of several loops per iteration', async () => {
    const order: string[] = [];
    let isDone = false;
    const iterate = () => {
      order.push('iteration');
      if (!isDone) setImmediate(iterate);
    };
    setImmediate(iterate);
    const loop = async (name: string) => {
      const slice = new TimeSlice();
      for (let i = 0; i < 3; i++) {
        await slice.next();
        order.push(name);
      }
    };
    await Promise.all([loop('a'), loop('b')]);
    isDone = true;
    expect(order.filter((name) => name !== 'iteration')).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    for (const [i, name] of order.entries()) if (name !== 'iteration') expect(order[i - 1]).toBe('iteration');
  });
});
