import { describe, expect, it } from '@jest/globals';

import { faultsOf } from './new-account.js';

const right = { name: 'Acme', email: 'ada@example.com', password: 'long enough' };

describe('the faults of a new account', () => {
  it('are none where all is right', () => {
    expect(faultsOf(right)).toEqual([]);
  });

  it('are all listed, each naming its field', () => {
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
  ])('include %j', (wrong) => {
    expect(faultsOf({ ...right, ...wrong })).toEqual([expect.stringContaining(Object.keys(wrong)[0]!)]);
  });
});
