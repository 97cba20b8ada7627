import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { NOT_BASE64 } from './base64-decoder.js';
import { BodyScanner, type JsonPath } from './body-scanner.js';

class TooLarge extends Error {}

const PATH: JsonPath = ['attachments', null, 'content'];
const throwTooLarge = (): never => {
  throw new TooLarge();
};

/** Scans the body in pieces of this many bytes. */
function scan(body: string, pieceLength: number, { bytes = 100_000, maxRest = 100_000 } = {}) {
  const scanner = new BodyScanner({
    path: PATH,
    target: Buffer.alloc(bytes),
    maxRest,
    onOverflow: throwTooLarge,
    onLargeRest: throwTooLarge,
  });
  const whole = Buffer.from(body);
  for (let i = 0; i < whole.length; i += pieceLength) scanner.write(whole.subarray(i, i + pieceLength));
  return { contents: scanner.contents, rest: scanner.finish().toString() };
}

/** The body with its contents as they were, in base64. */
function restored(body: string, pieceLength: number): unknown {
  const { contents, rest } = scan(body, pieceLength);
  const parsed = JSON.parse(rest) as { attachments?: { content?: unknown }[] };
  const attachments = Array.isArray(parsed.attachments) ? parsed.attachments : [];
  for (const attachment of attachments) {
    if (typeof attachment.content !== 'string') continue;
    const content = contents[Number(attachment.content)];
    attachment.content = Buffer.isBuffer(content) ? content.toString('base64') : content;
  }
  return parsed;
}

const base64 = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const attachment = fc.record(
  { filename: fc.string(), content: fc.oneof(base64, fc.integer(), fc.constant(null)), contentId: fc.json() },
  { requiredKeys: [] },
);
const body = fc.record(
  { html: fc.string(), attachments: fc.array(attachment), content: fc.string(), metadata: fc.jsonValue() },
  { requiredKeys: [] },
);

describe('BodyScanner', () => {
  it('decodes the strings at the path, wherever the body is divided, and keeps the rest', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 50 }), fc.constantFrom(undefined, 1), (value, length, indent) => {
        expect(restored(JSON.stringify(value, null, indent), length)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('understands escapes, which several languages write in base64', () => {
    for (const length of [1, 3, 1_000])
      expect(scan('{"attachments":[{"content":"+\\/\\u002b\\u002F\\/w=="}]}', length).contents).toEqual([
        Buffer.from('+/+//w==', 'base64'),
      ]);
  });

  it('recognises an escaped name of a field, and takes no other field for it', () => {
    const text =
      '{"x":{"attachments":[{"content":"AAAA"}]},"attach\\u006dents":[{"content":"AAAA","a":["content","AA"]}]}';
    const { contents, rest } = scan(text, 7);
    expect(contents).toEqual([Buffer.alloc(3)]);
    expect(JSON.parse(rest)).toEqual({
      x: { attachments: [{ content: 'AAAA' }] },
      attachments: [{ content: '0', a: ['content', 'AA'] }],
    });
  });

  it.each(['AAA', 'A', '====', 'AA==AAAA', 'AA\\nAA', 'AAA$', 'AA-_', 'AA AA', 'AAAA\\u000a'])(
    'says that %s is not base64',
    (content) => {
      const text = `{"attachments":[{"content":"${content}"},{"content":"AAAA"}]}`;
      for (const length of [2, 1_000]) expect(scan(text, length).contents).toEqual([NOT_BASE64, Buffer.alloc(3)]);
    },
  );

  it('notices padding in the middle of a long content', () => {
    const content = `${'A'.repeat(16_382)}==${'A'.repeat(40_000)}`;
    expect(scan(`{"attachments":[{"content":"${content}"}]}`, 1_000).contents).toEqual([NOT_BASE64]);
  });

  it('refuses more bytes than the target can hold, and a larger rest', () => {
    const text = '{"attachments":[{"content":"AAAAAA=="},{"content":"AAAAAA=="}],"html":"xxxxxxxxxx"}';
    expect(scan(text, 10, { bytes: 8 }).contents).toHaveLength(2);
    expect(() => scan(text, 10, { bytes: 7 })).toThrow(TooLarge);
    expect(() => scan(text, 10, { maxRest: 50 })).toThrow(TooLarge);
  });

  it('leaves faults of the syntax to the parser', () => {
    for (const text of ['{"attachments":[{"content":"AAAA', '{"attachments":[{"content"', ']]}}"', '{"a":"\\'])
      expect(() => JSON.parse(scan(text, 3).rest) as unknown).toThrow(SyntaxError);
  });
});
