import { describe, expect, it } from '@jest/globals';

import { isSameAddress, parseAddress } from './ip-address.js';

describe('IP addresses', () => {
  it.each([
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['1.2.3.4:80', '1.2.3.4'],
    ['[::1]:80', '::1'],
  ])('%s is %s', (a, b) => {
    expect(isSameAddress(a, b)).toBe(true);
  });

  it.each(['', 'localhost', '1.2.3', '010.1.1.1', '0x1.2.3.4', '1.2.3.4/32', '::1%eth0', '1.2.3.4.5', '::1]:80'])(
    '%j is none',
    (text) => {
      expect(parseAddress(text)).toBeNull();
      expect(isSameAddress(text, text)).toBe(false);
    },
  );
});
