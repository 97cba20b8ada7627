import { describe, expect, it } from '@jest/globals';

import { forEachConcurrently } from './for-each-concurrently.js';

describe('forEachConcurrently', () => {
  it('goes on with the other items while one takes long, and ends with the last', async () => {
    const begun: number[] = [];
    let finish: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    let hasEnded = false;
    const ended = forEachConcurrently([1, 2, 3, 4, 5], 2, (item) => {
      begun.push(item);
      return item === 1 ? slow : Promise.resolve();
    }).then(() => (hasEnded = true));
    await new Promise(setImmediate);
    expect([begun, hasEnded]).toEqual([[1, 2, 3, 4, 5], false]);
    finish();
    await ended;
  });

  it('works on no more items at a time', async () => {
    let [current, most] = [0, 0];
    await forEachConcurrently(Array.from({ length: 20 }), 3, async () => {
      most = Math.max(most, ++current);
      await new Promise(setImmediate);
      current -= 1;
    });
    expect(most).toBe(3);
  });
});
