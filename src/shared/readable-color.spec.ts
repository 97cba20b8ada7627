import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { contrast, readableOn } from './readable-color.js';

const colors = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe('readableOn', () => {
  it.each([
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
    ['#8a4b1f', '#ffffff'],
    ['#FFD43B', '#000000'],
    ['#ff0000', '#000000'],
  ])('has text on %s in %s', (color, text) => {
    expect(readableOn(color)).toBe(text);
  });

  it('meets AA on every color', () => {
    fc.assert(fc.property(colors, (color) => contrast(color, readableOn(color)) >= 4.5));
  });
});

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#336699', '#336699', 1],
  ])('of %s and %s is %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2);
    expect(contrast(other, one)).toBeCloseTo(expected, 2);
  });
});
