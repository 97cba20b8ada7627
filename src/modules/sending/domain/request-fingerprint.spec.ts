import { describe, expect, it } from '@jest/globals';

import { fingerprintOf } from './request-fingerprint.js';

describe('The fingerprint of a request', () => {
  const body = { to: 'ada@example.org', variables: { a: 1, b: [{ c: 'x', d: null }] } };

  it('is the same for the same fields in another order, and with fields that are left out', () => {
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
    ['nothing but null', { ...body, variables: null }],
  ])('is another one with %s', (_, other) => {
    expect(fingerprintOf('email', other)).not.toBe(fingerprintOf('email', body));
  });

  it('is another one for another channel', () => {
    expect(fingerprintOf('sms', body)).not.toBe(fingerprintOf('email', body));
  });
});
