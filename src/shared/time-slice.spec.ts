import { describe, expect, it } from '@jest/globals';

import { TimeSlice } from './time-slice.js';

const work = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('TimeSlice', () => {
  it('lets the event loop turn between the slices of a loop', async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
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
    expect(turns).toBeGreaterThanOrEqual(slices);
  });

  it('resumes one of several loops in each turn', async () => {
    const order: string[] = [];
    let isDone = false;
    const turn = () => {
      order.push('turn');
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const loop = async (name: string) => {
      const slice = new TimeSlice();
      for (let i = 0; i < 3; i++) {
        await slice.next();
        order.push(name);
      }
    };
    await Promise.all([loop('a'), loop('b')]);
    isDone = true;
    expect(order.filter((name) => name !== 'turn')).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    for (const [i, name] of order.entries()) if (name !== 'turn') expect(order[i - 1]).toBe('turn');
  });
});
