import { describe, expect, it } from '@jest/globals';

import { isSame } from './is-same.js';

describe('isSame', () => {
  it.each([
    ['secret', 'secret'],
    ['', ''],
    ['Grüße', Buffer.from('Grüße')],
    [Buffer.from([0, 255]), Buffer.from([0, 255])],
  ])('finds %j and %j equal', (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    ['secret', 'Secret'],
    ['secret', 'secret '],
    ['secret', ''],
    [Buffer.from([0, 255]), Buffer.from([0, 254])],
  ])('finds %j and %j different', (one, other) => {
    expect(isSame(one, other)).toBe(false);
    expect(isSame(other, one)).toBe(false);
  });
});
