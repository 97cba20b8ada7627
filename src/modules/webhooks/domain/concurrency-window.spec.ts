import { describe, expect, it } from '@jest/globals';

import { ConcurrencyWindow } from './concurrency-window.js';

describe('The pace of an endpoint', () => {
  it('rises by one with each delivery, to 64', () => {
    const pace = new ConcurrencyWindow();
    expect(pace.limit).toBe(10);
    pace.note(true);
    expect(pace.limit).toBe(11);
    for (let i = 0; i < 100; i++) pace.note(true);
    expect(pace.limit).toBe(64);
  });

  it('is halved by each failure, down to one', () => {
    const pace = new ConcurrencyWindow();
    const limits = [1, 2, 3, 4, 5].map(() => {
      pace.note(false);
      return pace.limit;
    });
    expect(limits).toEqual([5, 2, 1, 1, 1]);
  });

  it('lets claims run ahead while it is at its highest', () => {
    const pace = new ConcurrencyWindow();
    for (let i = 0; i < 53; i++) pace.note(true);
    expect(pace.ahead).toBe(0);
    pace.note(true);
    expect(pace.ahead).toBe(128);
    pace.note(false);
    expect(pace.ahead).toBe(0);
  });
});
