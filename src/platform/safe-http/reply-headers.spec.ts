import { describe, expect, it, jest } from '@jest/globals';

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

  it.each([
    ...['set-cookie', 'set-cookie2', 'cookie', 'authorization', 'proxy-authorization', 'authentication-info'],
    ...['x-api-key', 'api-key', 'apikey', 'x-apikey', 'x_api_key', 'x-auth', 'x-auth-key', 'x-functions-key'],
    ...[
      'x-access-token',
      'x-amz-security-token',
      'x-vault-token',
      'x-refresh-token',
      'x-csrf-token',
      'x-xsrf',
      'token',
    ],
    ...['x-session-id', 'x-sid', 'x-client-secret', 'x-password', 'x-aws-credentials', 'cf-access-jwt-assertion'],
    ...['signature', 'x-hub-signature-256'],
  ])('redacts %s', (name) => {
    expect(startOfHeaders({ [name]: ['session=secret', 'b=c'] })).toEqual({ [name]: '[redacted]' });
  });

  it.each([
    ...['x-request-id', 'x-correlation-id', 'x-amzn-trace-id', 'etag', 'server', 'date', 'x-author', 'x-keyboard'],
    ...['idempotency-key', 'x-idempotency-key', 'surrogate-key', 'x-cache-key', 'retry-after', 'www-authenticate'],
    ...['x-ratelimit-limit', 'x-ratelimit-remaining-tokens', 'ratelimit-policy', 'access-control-allow-credentials'],
  ])('keeps %s', (name) => {
    expect(startOfHeaders({ [name]: 'a=b?c=d#e' })).toEqual({ [name]: 'a=b?c=d#e' });
  });

  it.each([
    [
      'location',
      'https://ada:s3cret@example.org/in?next=%2Fa&t=x=y',
      'https://[redacted]@example.org/in?next=[redacted]&t=[redacted]',
    ],
    ['location', '//a:b@c@example.org', '//[redacted]@example.org'],
    ['location', '/in?a b"c', '/in?[redacted]"c'],
    ['content-location', 'report?c2VjcmV0Cg==', 'report?[redacted]'],
    ['location', '/in#access_token=abc&state=1', '/in#access_token=[redacted]&state=[redacted]'],
    ['location', '/in?', '/in?'],
    ['location', '/users/ada@example.org', '/users/ada@example.org'],
    ['refresh', '5; URL=/in?code=abc', '5; URL=/in?code=[redacted]'],
    [
      'link',
      '</a?page=2&key=k>; rel="next", <https://u@b.example>; rel="last"',
      '</a?page=[redacted]&key=[redacted]>; rel="next", <https://[redacted]@b.example>; rel="last"',
    ],
    ['x-redirect-to', '/in?code=abc', '/in?code=[redacted]'],
    [
      'report-to',
      '{"url":"https://example.org/?key=k","max_age":1}',
      '{"url":"https://example.org/?key=[redacted]","max_age":1}',
    ],
  ])('keeps the URL in %s: %s, but no credentials', (name, value, kept) => {
    expect(startOfHeaders({ [name]: value })).toEqual({ [name]: kept });
  });

  it('redacts each URL of a repeated header', () => {
    expect(startOfHeaders({ link: ['<a?b=c', '<d?e=f>'] })).toEqual({ link: '<a?b=[redacted], <d?e=[redacted]>' });
  });

  it('reads no more of a repeated header than it keeps', () => {
    const values = Array.from({ length: 8_000 }, () => '\x80');
    const decode = jest.spyOn(TextDecoder.prototype, 'decode');
    const kept = startOfHeaders({ a: values });
    const decoded = decode.mock.calls.length;
    decode.mockRestore();
    expect(bytesOf(kept)).toBeGreaterThan(1_000);
    expect(decoded).toBeLessThan(1_000);
  });

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

  it('leaves out what does not fit, but not what follows', () => {
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]));
    const kept = startOfHeaders({ ...large, age: '0', server: 'nginx' });
    expect(Object.keys(kept)).toEqual(['x-0', 'x-1', 'x-2', 'x-3', 'age', 'server']);
    expect(bytesOf(kept)).toBeLessThanOrEqual(4_096);
  });

  it('keeps names that objects inherit', () => {
    const headers = Object.fromEntries([['__proto__', 'x']]);
    expect(Object.entries(startOfHeaders(headers))).toEqual([['__proto__', 'x']]);
  });
});
