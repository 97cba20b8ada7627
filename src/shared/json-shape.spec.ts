import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { type JsonLimits, shapeOf } from './json-shape.js';

const ONE: JsonLimits = { values: 10_000, outerFields: 200, levels: 50 };
const MANY: JsonLimits = { ...ONE, values: 400_000, valuesOfEntry: 10_000 };

const check = (text: string, limits: JsonLimits = ONE) => shapeOf(Buffer.from(text), limits).values;
const fieldsOf = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join();

describe('shapeOf', () => {
  it.each([
    ['fields', `{${fieldsOf(200)}}`, 200],
    ['fields of an inner object', `{"variables":{${fieldsOf(1_000)}}}`, 1_001],
    ['values', `{"items":[${'0,'.repeat(9_998)}0]}`, 10_000],
    ['lists and objects', `{"items":[${'{},'.repeat(4_998)}1]}`, 9_998],
    ['levels', '['.repeat(50) + ']'.repeat(50), 50],
    ['colons and brackets in strings', `{"text":"${':{[\\\\\\"'.repeat(1_000)}"}`, 1],
    ['faults of the syntax', ']:}:]}:::', 0],
  ])('accepts up to the limit of %s, and counts the values', (_, text, values) => {
    expect(check(text)).toBe(values);
  });

  it.each([
    [`{${fieldsOf(201)}}`, 'The request has more than 200 fields'],
    [`{"variables":{${fieldsOf(1_001)}}}`, 'variables has an object of more than 1000 fields'],
    [`{"a":{"b":[{"c":"d","e":{${fieldsOf(1_001)}}}]}}`, 'a has an object of more than 1000 fields'],
    [`[{${fieldsOf(1_001)}}]`, 'The body has an object of more than 1000 fields'],
    [`{"items":[${'{},'.repeat(5_000)}1]}`, 'The body holds more than 10000 values'],
    [`{"items":[${'0,'.repeat(10_000)}0]}`, 'The body holds more than 10000 values'],
    ['['.repeat(51), 'The body is nested deeper than 50 levels'],
  ])('refuses more', (text, message) => {
    expect(() => check(text)).toThrow(message);
  });

  it('counts the values of each entry of a list, if the entries are handled one by one', () => {
    const entryOf = (values: number) => `{"k":[${'0,'.repeat(values - 2)}0]}`;
    const listOf = (entry: string, count: number) => `{"messages":[${`${entry},`.repeat(count - 1)}${entry}]}`;
    expect(check(listOf(entryOf(10_000), 39), MANY)).toBe(390_040);
    expect(() => check(listOf(entryOf(10_001), 1), MANY)).toThrow('messages has an entry of more than 10000 values');
    expect(() => check(listOf(entryOf(10_000), 41), MANY)).toThrow('The body holds more than 400000 values');
  });

  it('limits the fields of the outermost object like those of others, and no levels, unless it is given', () => {
    const limits = { values: 100_000 };
    check(`{${fieldsOf(1_000)}}`, limits);
    expect(() => check(`{${fieldsOf(1_001)}}`, limits)).toThrow('The request has more than 1000 fields');
    check('['.repeat(100_000), limits);
  });

  it('finds the end of long strings, whatever they hold', () => {
    const piece = fc.constantFrom('"', '\\', '\\"', '\\\\', '[', '{', ':', 'é', 'x'.repeat(70), '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 0, max: 80 }), (pieces, length) => {
        const string = JSON.stringify('x'.repeat(length) + pieces.join(''));
        check(`{"a":${string},"b":${'['.repeat(49)}${']'.repeat(49)}}`);
        expect(() => check(`{"a":${string},"b":${'['.repeat(50)}`)).toThrow('deeper than 50');
      }),
    );
  });
});
