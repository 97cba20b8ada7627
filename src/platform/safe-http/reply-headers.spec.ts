import { describe, expect, it } from '@jest/globals';

import { startOfHeaders } from './reply-headers.js';

const bytesOf = (headers: Record<string, string>) => Buffer.byteLength(Object.entries(headers).flat().join(''));

describe('startOfHeaders', () => {
  it('keeps the order and joins repeated headers', () => {
    const kept = startOfHeaders({ server: 'nginx', link: ['<a>', '<b>'], age: '0' });
    expect(Object.entries(kept)).toEqual([
      ['server', 'nginx'],
      ['link', '<a>, <b>'],
      ['age', '0'],
    ]);
  });

  it.each(['set-cookie', 'set-cookie2', 'authorization', 'proxy-authorization', 'authentication-info', 'x-api-key'])(
    'redacts %s',
    (name) => {
      expect(startOfHeaders({ [name]: ['session=secret', 'b=c'] })).toEqual({ [name]: '[redacted]' });
    },
  );

  it('decodes UTF-8 and replaces what PostgreSQL cannot store', () => {
    const raw = (bytes: Buffer) => bytes.toString('latin1');
    expect(startOfHeaders({ a: raw(Buffer.from('grüße 😀')) })).toEqual({ a: 'grüße 😀' });
    expect(startOfHeaders({ a: raw(Buffer.from([0x61, 0xff, 0x00, 0x1f, 0x09, 0xc3])) })).toEqual({
      a: 'a\ufffd\ufffd\ufffd \ufffd',
    });
    expect(startOfHeaders({ a: raw(Buffer.from([0xed, 0xa0, 0x80])) }).a!.isWellFormed()).toBe(true);
  });

  it('cuts a value to a kilobyte, but no character in two', () => {
    const value = Buffer.from(`a${'😀'.repeat(400)}`).toString('latin1');
    expect(startOfHeaders({ a: value, b: 'x'.repeat(2_000), c: 'y' })).toEqual({
      a: `a${'😀'.repeat(255)}`,
      b: 'x'.repeat(1_024),
      c: 'y',
    });
  });

  it('keeps at most 50 headers and 4 kB', () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x-${n}`, 'v']));
    expect(Object.keys(startOfHeaders(many))).toEqual(Object.keys(many).slice(0, 50));
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'v'.repeat(600)]));
    const kept = startOfHeaders(large);
    expect(Object.keys(kept)).toHaveLength(6);
    expect(bytesOf(kept)).toBeLessThanOrEqual(4_096);
  });

  it('keeps names that objects inherit', () => {
    const headers = Object.fromEntries([['__proto__', 'x']]);
    expect(Object.entries(startOfHeaders(headers))).toEqual([['__proto__', 'x']]);
  });
});
