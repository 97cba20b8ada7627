import { describe, expect, it } from '@jest/globals';

import { isSameAddress, isWithin, parseAddress, parseRange } from './ip-address.js';

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

  it.each([
    '',
    'localhost',
    '1.2.3',
    '010.1.1.1',
    '0x1.2.3.4',
    '1.2.3.4/32',
    '::1%eth0',
    '::ffff:010.1.1.1',
    '1.2.3.4.5',
    '::1]:80',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeNull();
    expect(isSameAddress(text, text)).toBe(false);
  });

  it.each([
    ['10.0.0.0/8', '10.255.1.2', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['10.0.0.0/8', 'nonsense', false],
  ])('in %s is %s: %s', (range, address, expected) => {
    expect(isWithin(range, address)).toBe(expected);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '10.0.0.0:80/8',
    '[::1]/64',
    '::/129',
    '/8',
  ])('%j is not a range', (text) => {
    expect(parseRange(text)).toBeNull();
  });
});
