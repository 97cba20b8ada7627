import { describe, expect, it } from '@jest/globals';

import { isBefore } from './require-release.js';

describe('isBefore', () => {
  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9.0', '1.10.0'],
    ['9.12.3', '10.0.0'],
  ])('finds %s older than %s, and not the other way round', (older, newer) => {
    expect(isBefore(older, newer)).toBe(true);
    expect(isBefore(newer, older)).toBe(false);
  });

  it('finds no release older than itself', () => {
    expect(isBefore('1.2.3', '1.2.3')).toBe(false);
  });
});
