import { describe, expect, it } from '@jest/globals';

import { boundedData, storable, timeOf } from './fields.js';

describe('A time in a provider event', () => {
  it.each([
    ['2026-11-21T07:00:00Z', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21 07:00:00', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21 07:00:00.25Z', '2026-11-21T07:00:00.250Z'],
    ['2026-11-21T09:00:00+02', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21 09:00:00 +0200', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21T02:30:00-0430', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21T02:30:00-04:30', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    [1_795_000_000.5, '2026-11-18T11:06:40.500Z'],
  ])('may read %s', (value, at) => {
    expect(timeOf(value)).toEqual(new Date(at));
  });

  it.each([
    ['today', '', null, undefined, {}, NaN, -1, 1e300],
    ['1999-12-31T23:59:59Z', '9999-01-01T00:00:00Z', '2026-02-30 07:00:00', '2026-11-21 07:00:00+99', '+275760-09-13'],
  ])('is none: %j and the like', (...values) => {
    expect(values.map(timeOf)).toEqual(values.map(() => null));
  });
});

describe('The data of a provider event', () => {
  const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

  it('are kept up to some thousand characters', () => {
    const data = { response: 'x'.repeat(7_900), nested: [{ a: null }] };
    expect(boundedData(data)).toBe(data);
  });

  it('are shortened beyond that', () => {
    const data = { response: 'x'.repeat(10_000), nested: { a: ['y'.repeat(1_000)] }, attempt: 3, none: null };
    expect(boundedData(data)).toEqual({
      response: 'x'.repeat(300),
      nested: `{"a":["${'y'.repeat(293)}`,
      attempt: 3,
      none: null,
    });
  });

  it('keep what decides about a message, and few other fields with short names', () => {
    const decisive = { bounceType: 'hard', feedbackType: 'abuse', providerSuppression: 'bounced', automated: true };
    const data = boundedData({ ['x'.repeat(9_000)]: 1, ...numbered(1_000), ...decisive });
    expect(data).toEqual({ ...decisive, ...numbered(16) });
  });

  it('hold no half of a character', () => {
    const { response } = boundedData({ response: `x${'\u{1f600}'.repeat(5_000)}` });
    expect((response as string).isWellFormed()).toBe(true);
  });
});

describe('What can be stored of a provider event', () => {
  it('has no NUL, no lone surrogates and no more than 20 levels', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) });
    expect(storable({ 'a\0': ['b\ud800'], at: new Date(0) })).toEqual({ a: ['b\ufffd'], at: new Date(0) });
    expect(JSON.stringify(storable(nest(100)))).toBe(`${'{"a":'.repeat(20)}null${'}'.repeat(20)}`);
  });

  it('has no lists and objects with which it would have more than 2,000 values', () => {
    const list = Array.from({ length: 1_000 }, () => 1);
    expect(storable({ a: list, b: { c: list }, d: [2], bounceType: 'hard' })).toEqual({
      ...{ a: list, b: { c: null }, d: [2] },
      bounceType: 'hard',
    });
  });
});
