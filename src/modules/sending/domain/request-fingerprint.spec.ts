import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { fingerprintOf } from './request-fingerprint.js';

describe('fingerprintOf', () => {
  const body = { to: 'ada@example.org', variables: { a: 1, b: [{ c: 'x', d: null }] } };

  it('ignores the order of fields, and undefined fields', () => {
    const same = { variables: { b: [{ d: null, c: 'x' }], a: 1 }, html: undefined, to: 'ada@example.org' };
    expect(fingerprintOf('email', same)).toBe(fingerprintOf('email', body));
  });

  it.each([
    ['another value', { ...body, to: 'eve@example.org' }],
    ['a further field', { ...body, subject: 'Hello' }],
    ['a text instead of a number', { ...body, variables: { ...body.variables, a: '1' } }],
    ['an object instead of a list', { ...body, variables: { a: 1, b: { 0: { c: 'x', d: null } } } }],
    [
      'its pairs instead of an object',
      {
        ...body,
        variables: [
          ['a', 1],
          ['b', body.variables.b],
        ],
      },
    ],
    ['null', { ...body, variables: null }],
  ])('differs for %s', (_, other) => {
    expect(fingerprintOf('email', other)).not.toBe(fingerprintOf('email', body));
  });

  it('hashes the bytes of a file, and does not read them as fields', () => {
    const content = Buffer.from([1, 2, 3]);
    const hash = createHash('sha256').update(content).digest('base64url');
    expect(fingerprintOf('sms', { files: [{ content }] })).toBe(fingerprintOf('sms', { files: [{ content: hash }] }));
  });

  it('differs for another channel', () => {
    expect(fingerprintOf('sms', body)).not.toBe(fingerprintOf('email', body));
  });
});
