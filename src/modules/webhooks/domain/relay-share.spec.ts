import { describe, expect, it } from '@jest/globals';

import { shareOf } from './relay-share.js';

describe('The share of an account in a batch', () => {
  it('is all of it where no other waits, and the less the more wait and the more deliveries its events make', () => {
    expect(shareOf(1, 1)).toBe(1_000);
    expect(shareOf(1, 0)).toBe(1_000);
    expect(shareOf(2, 5)).toBe(100);
    expect(shareOf(50, 1)).toBe(20);
  });

  it('is one event at least', () => {
    expect(shareOf(50, 50)).toBe(1);
  });
});
