import { describe, expect, it } from '@jest/globals';

import { cleanField, cleanIp, harmlessName } from './signup.js';

describe('cleanField', () => {
  it.each([
    ['  Ada ', 'Ada'],
    ['Ada\r\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
    ['A\0d\u2028a', 'A d a'],
    ['\ud800Ada', '\ufffdAda'],
    ['a'.repeat(300), 'a'.repeat(200)],
    [`${'a'.repeat(199)}😀`, `${'a'.repeat(199)}\ufffd`],
    [' \n ', null],
    [['Ada'], null],
    [undefined, null],
  ])('makes %j %j', (given, cleaned) => {
    expect(cleanField(given)).toBe(cleaned);
  });
});

describe('cleanIp', () => {
  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['_hidden', null],
    ['10.0.0.0/8', null],
    ['', null],
  ])('makes %j %j', (given, address) => {
    expect(cleanIp(given)).toBe(address);
  });
});

describe('harmlessName', () => {
  it.each(['Ada', 'Ada Lovelace', 'Dr. Ada', 'Ádá-Maria', "O'Hara"])('keeps %s', (name) => {
    expect(harmlessName(name)).toBe(name);
  });

  it.each([
    'http://evil.example',
    'evil.example',
    'Win at evil.example now',
    'a@evil.example',
    'evil .example/x',
    'злой.рф',
    'evil。com',
    null,
  ])('drops %s', (name) => {
    expect(harmlessName(name)).toBe('');
  });
});
