import { describe, expect, it } from '@jest/globals';

import { percentFormat } from './percent-format';

const percent = percentFormat('en');

describe('percentFormat', () => {
  it.each([
    [0, '0%'],
    [0.000001, '0.0001%'],
    [4 / 10_000, '0.04%'],
    [0.0096, '0.96%'],
    [0.01, '1%'],
    [0.0123, '1.2%'],
    [0.5, '50%'],
    [9_999 / 10_000, '99.9%'],
    [1, '100%'],
  ])('writes %d as %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });
});
