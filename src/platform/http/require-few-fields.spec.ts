import { describe, expect, it } from '@jest/globals';

import { requireFewFields } from './require-few-fields.js';

const objectOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, i]));
const listOf = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe('requireFewFields', () => {
  it('accepts up to 200 fields and 1,000 elements', () => {
    expect(() => {
      requireFewFields({ list: listOf(1_000, 'x'), inner: objectOf(200) });
    }).not.toThrow();
  });

  it.each([
    [objectOf(201), 'The request has more than 200 fields'],
    [{ a: { b: objectOf(201) } }, 'a.b has more than 200 fields'],
    [{ list: listOf(1_001, 'x') }, 'list has more than 1000 elements'],
  ])('refuses larger values', (value, message) => {
    expect(() => {
      requireFewFields(value);
    }).toThrow(message);
  });
});
