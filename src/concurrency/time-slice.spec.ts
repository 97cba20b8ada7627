import { describe, expect, it } from '@jest/globals';

import { countIterations, watchIterations } from '../../test/support/event-loop.js';
import { nextTurn, TimeSlice } from './time-slice.js';

const work = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('TimeSlice', () => {
  it('lets the event loop iterate between the slices of a loop', async () => {
    const slice = new TimeSlice();
    let slices = 0;
    const iterations = await countIterations(async () => {
      for (let step = 0; step < 50; step++) {
        work(1);
        if (!slice.isOver) continue;
        await slice.next();
        slices += 1;
      }
    });
    expect(slices).toBeGreaterThan(0);
    expect(iterations).toBeGreaterThanOrEqual(slices);
  });

  it('resumes one of several loops per iteration', async () => {
    const order: string[] = [];
    const loop = async (name: string) => {
      const slice = new TimeSlice();
      for (let i = 0; i < 3; i++) {
        await slice.next();
        order.push(name);
      }
    };
    await watchIterations(
      () => Promise.all([loop('a'), loop('b')]),
      () => order.push('iteration'),
    );
    expect(order.filter((name) => name !== 'iteration')).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    for (const [i, name] of order.entries()) if (name !== 'iteration') expect(order[i - 1]).toBe('iteration');
  });
});

describe('nextTurn', () => {
  it('lets accounts take turns, however many callers one of them has', async () => {
    const order: string[] = [];
    const take = (account: string) => nextTurn(account).then(() => order.push(account));
    await Promise.all([take('a'), take('a'), take('a'), take('b'), take('c'), take('b')]);
    expect(order.join('')).toBe('abcaba');
  });
});
