import { describe, expect, it } from '@jest/globals';

import { ConcurrencyWindow } from './concurrency-window.js';

describe('ConcurrencyWindow', () => {
  it('grows by one with each success, up to 64', () => {
    const window = new ConcurrencyWindow();
    expect(window.limit).toBe(10);
    window.adjust(true);
    expect(window.limit).toBe(11);
    for (let i = 0; i < 100; i++) window.adjust(true);
    expect(window.limit).toBe(64);
  });

  it('halves with each failure, down to one', () => {
    const window = new ConcurrencyWindow();
    const limits = [1, 2, 3, 4, 5].map(() => {
      window.adjust(false);
      return window.limit;
    });
    expect(limits).toEqual([5, 2, 1, 1, 1]);
  });

  it('allows prefetching only at the highest limit', () => {
    const window = new ConcurrencyWindow();
    for (let i = 0; i < 53; i++) window.adjust(true);
    expect(window.prefetch).toBe(0);
    window.adjust(true);
    expect(window.prefetch).toBe(128);
    window.adjust(false);
    expect(window.prefetch).toBe(0);
  });
});
