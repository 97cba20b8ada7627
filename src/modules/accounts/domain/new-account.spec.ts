import { describe, expect, it } from '@jest/globals';

import { faultsOf } from './new-account.js';

const right = { name: 'Acme', email: 'ada@example.com', password: 'long enough' };

describe('faultsOf', () => {
  it('returns none for valid input', () => {
    expect(faultsOf(right)).toEqual([]);
  });

  it('returns all faults, each with the name of its field', () => {
    expect(faultsOf({ name: ' ', email: 'ada', password: 'short' })).toEqual([
      'name must be a line of 1 to 100 characters',
      'email must be an email address',
      'password must have 8 to 200 characters',
    ]);
  });

  it.each([
    { name: 'two\nlines' },
    { name: 'x'.repeat(101) },
    { email: 'ada@example.com\r\nBcc: eve@example.com' },
    { password: 'x'.repeat(201) },
  ])('refuses %j', (wrong) => {
    expect(faultsOf({ ...right, ...wrong })).toEqual([expect.stringContaining(Object.keys(wrong)[0]!)]);
  });
});
