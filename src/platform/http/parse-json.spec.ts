import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { budget } from '../../../test/support/budget.js';
import { parseJson } from './parse-json.js';

/** Enough values for the parser to pause. Only a list of entries may have them. */
const MANY = `[${'0,'.repeat(20_001)}0]`;

const parse = (body: Buffer) => parseJson(body, 'many');

const outcomeOf = (text: string | Buffer, parseText: (body: Buffer) => unknown) =>
  Promise.resolve(Buffer.from(text))
    .then(parseText)
    .then(
      (value) => ({ value }),
      () => 'refused',
    );

describe('parseJson', () => {
  const mutated = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', '0', '\n', 'é', '\u0001', 'null'))
    .map(([json, at, piece]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + piece + json.slice(index + 1);
    });

  it.each([
    ['at once', (json: string) => json],
    ['in slices', (json: string) => `{"many":${MANY},"json":${json}}`],
  ])('parses as JSON.parse does, %s', async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), mutated), async (json) => {
        const text = wrap(json);
        const expected = await outcomeOf(text, (body) => JSON.parse(body.toString('utf8')));
        expect(await outcomeOf(text, parse)).toEqual(/\\u(0000|d[89a-f])/i.test(json) ? expect.anything() : expected);
      }),
      { numRuns: budget({ quick: 25, soak: 500 }) },
    );
  });

  it.each([
    ['a name of a prototype', '{"__proto__":{"isAdmin":true},"constructor":1}'],
    ['a repeated name', '{"a":1,"a":{"b":2}}'],
    ['numbers', '[-0,1e999,-1e-999,12345678901234567890,0.1]'],
    ['escapes', String.raw`"\ud83d\ude00 \u00e4 \\ \/ \" \b\f\n\r\t"`],
    ['a long number', '1234567890'.repeat(20_000)],
    ['a string of escapes', `"${String.raw`a\n\u00e9`.repeat(30_000)}"`],
    ['characters of several bytes', `"${'ä😀中'.repeat(20_000)}"`],
  ])('parses %s in slices', async (_, json) => {
    const text = `{"many":${MANY},"json":${json}}`;
    expect(await parse(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each([
    ['bytes of Latin-1', [0xff, 0xe4]],
    ['half a character', [0xc3]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('refuses %s', async (_, bytes) => {
    for (const many of ['[]', MANY]) {
      const body = Buffer.concat([Buffer.from(`{"many":${many},"text":"a`), Buffer.from(bytes), Buffer.from('"}')]);
      await expect(parse(body)).rejects.toMatchObject({ kind: 'invalid', message: 'The body is not valid UTF-8' });
    }
  });

  it('skips a byte order mark', async () => {
    for (const many of ['[]', MANY])
      expect(await parse(Buffer.from(`\ufeff{"many":${many},"text":"a"}`))).toMatchObject({ text: 'a' });
  });

  it.each(['[]', MANY])('refuses text that cannot be stored, but for the exempt field', async (many) => {
    const body = Buffer.from(String.raw`{"many":${many},"html":"\u0000"}`);
    await expect(parse(body)).rejects.toThrow('html holds a character that cannot be stored');
    await expect(parseJson(body, 'html')).resolves.toMatchObject({ html: '\0' });
  });

  /** Longer than one piece of a list. */
  const LONG = `${'0,'.repeat(40_000)}0`;

  it.each([
    `[${LONG}]`,
    `[${LONG},]`,
    `[,${LONG}]`,
    `[${LONG},,${LONG}]`,
    `[${LONG} ${LONG}]`,
    `[${LONG}`,
    `[${LONG}}`,
    `["${'],'.repeat(50_000)}",{"many":[1]}]`,
    `[${LONG}],"many":[1]`,
    `[${LONG}],"many":1`,
    `[1],"many":[${LONG}]`,
    String.raw`[${LONG}],"m\u0061ny":[1]`,
  ])('parses a list in pieces as JSON.parse does: %.20j', async (many) => {
    const text = `{"a":[1],"many":${many},"b":[2]}`;
    const expected = await outcomeOf(text, (body) => JSON.parse(body.toString('utf8')));
    expect(await outcomeOf(text, parse)).toEqual(expected);
  });

  it('parses long texts of few values, and refuses them if they are no JSON', async () => {
    const entry = String.raw`\\`.repeat(1_000_000);
    expect(await parse(Buffer.from(`{"many":["${entry}"]}`))).toEqual({ many: ['\\'.repeat(1_000_000)] });
    await expect(parse(Buffer.from(`{"many":["${entry}" 1]}`))).rejects.toThrow('The body is not valid JSON');
  });

  it('lets others run while it parses many values', async () => {
    const fields = Array.from({ length: 200_000 }, (_, i) => `{"k${i}":1}`).join();
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await parse(Buffer.from(`{"many":[${fields}]}`));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });
});
