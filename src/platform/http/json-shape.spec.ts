import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { refuseCostlyJson } from './json-shape.js';

const check = (text: string) => refuseCostlyJson(Buffer.from(text));
const fieldsOf = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join();

describe('refuseCostlyJson', () => {
  it.each([
    ['fields', `{${fieldsOf(200)}}`],
    ['fields of an inner object', `{"variables":{${fieldsOf(100_000)}}}`],
    ['fields of many objects', `{"contacts":[${Array.from({ length: 2_000 }, () => `{${fieldsOf(80)}}`).join()}]}`],
    ['lists and objects', `{"items":[${'{},'.repeat(399_997)}1]}`],
    ['values', `{"items":[${'0,'.repeat(499_999)}0]}`],
    ['levels', '['.repeat(50) + ']'.repeat(50)],
    ['colons and brackets in strings', `{"text":"${':{[\\\\\\"'.repeat(1_000)}"}`],
    ['faults of the syntax', ']}]}:::'],
  ])('accepts up to the limit of %s', async (_, text) => {
    await check(text);
  });

  it.each([
    [`{${fieldsOf(201)}}`, 'The request has more than 200 fields'],
    [`{"variables":{${fieldsOf(100_001)}}}`, 'An object in the body has more than 100000 fields'],
    [`{"items":[${'{},'.repeat(400_000)}1]}`, 'The body holds more than 400000 lists and objects'],
    [`{"items":[${'0,'.repeat(500_000)}0]}`, 'The body holds more than 500000 values'],
    ['['.repeat(51), 'The body is nested deeper than 50 levels'],
  ])('refuses more', async (text, message) => {
    await expect(check(text)).rejects.toThrow(message);
  });

  it('finds the end of long strings, whatever they hold', async () => {
    const piece = fc.constantFrom('"', '\\', '\\"', '\\\\', '[', '{', ':', 'é', 'x'.repeat(70), '\n');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 0, max: 80 }), async (pieces, length) => {
        const string = JSON.stringify('x'.repeat(length) + pieces.join(''));
        await check(`{"a":${string},"b":${'['.repeat(49)}${']'.repeat(49)}}`);
        await expect(check(`{"a":${string},"b":${'['.repeat(50)}`)).rejects.toThrow('deeper than 50');
      }),
    );
  });

  it('lets others run while it checks megabytes', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await check(`[${'"", '.repeat(490_000)}"${'\\"'.repeat(20_000_000)}"]`);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
  });
});
