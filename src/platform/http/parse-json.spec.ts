import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { parseJson } from './parse-json.js';

/** So many values that the parser pauses. */
const MANY = `[${'0,'.repeat(20_001)}0]`;

const outcomeOf = (text: string | Buffer, parse: (body: Buffer) => unknown) =>
  Promise.resolve(Buffer.from(text))
    .then(parse)
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
        expect(await outcomeOf(text, parseJson)).toEqual(
          /\\u(0000|d[89a-f])/i.test(json) ? expect.anything() : expected,
        );
      }),
      { numRuns: 50 },
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
    expect(await parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('reads bytes that are not UTF-8 as replacement characters, and skips a byte order mark', async () => {
    for (const many of ['[]', MANY]) {
      const parsed = await parseJson(
        Buffer.concat([Buffer.from(`\ufeff{"many":${many},"text":"a`), Buffer.from([0xff, 0xe4]), Buffer.from('b"}')]),
      );
      expect(parsed).toMatchObject({ text: 'a\ufffd\ufffdb' });
    }
  });

  it.each(['[]', MANY])('refuses text that cannot be stored, but for the exempt field', async (many) => {
    const body = Buffer.from(String.raw`{"many":${many},"html":"\u0000"}`);
    await expect(parseJson(body)).rejects.toThrow('html holds a character that cannot be stored');
    await expect(parseJson(body, 'html')).resolves.toMatchObject({ html: '\0' });
  });

  it('lets others run while it parses many values', async () => {
    const fields = Array.from({ length: 200_000 }, (_, i) => `{"k${i}":1}`).join();
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await parseJson(Buffer.from(`[${fields}]`));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });
});
