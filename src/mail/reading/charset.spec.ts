import { describe, expect, it } from '@jest/globals';

import { decodeLines } from './charset.js';

/** The text across the boundary of a slice of 64 kB, at different offsets. */
const around = (text: string) => [65_534, 65_535, 65_536].map((length) => `${'x'.repeat(length)}${text}`);

describe('Long texts', () => {
  it.each(['\u00e9', '\u20ac', '\u{1f600}'])('may have the character %s where they are divided', (character) => {
    for (const text of around(character)) expect(decodeLines(Buffer.from(text), 'utf-8')).toBe(text);
  });

  it.each(['\r\n', '\r\r\n', '\n', '\r'])('may have the line end %j there, which becomes LF', (end) => {
    for (const text of around(`${end}y`)) expect(decodeLines(Buffer.from(text), '')).toBe(text.replace(/\r\n?/g, '\n'));
    for (const text of around(end)) expect(decodeLines(Buffer.from(text), '')).toBe(text.replace(/\r\n?/g, '\n'));
  });

  it('are refused with NUL, in an unknown charset, and in another one than they have, at the end, too', () => {
    const long = 'x'.repeat(70_000);
    expect(decodeLines(Buffer.from(`${long}\0`), '')).toBeNull();
    expect(decodeLines(Buffer.from(long), 'x-klingon')).toBeNull();
    expect(decodeLines(Buffer.from(`${long}\xe9`, 'latin1'), 'utf-8')).toBeNull();
    expect(decodeLines(Buffer.from(long.slice(0, 65_535) + '\xe9', 'latin1'), 'utf-8')).toBeNull();
    expect(decodeLines(Buffer.from(`${long}\xe9`, 'latin1'), 'iso-8859-1')).toBe(`${long}é`);
  });
});
