import { describe, expect, it } from '@jest/globals';

import { registeredDomainOf, requireDomainName } from './domain-name.js';

describe('requireDomainName', () => {
  it.each([
    [' Example.COM. ', 'example.com'],
    ['mail.shop.example.co.uk', 'mail.shop.example.co.uk'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['例え。jp。', 'xn--r8jz45g.jp'],
    ['someone.github.io', 'someone.github.io'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    ['intranet.corp', 'intranet.corp'],
  ])('parses %j as %s', (text, name) => {
    expect(requireDomainName(text)).toBe(name);
  });

  it.each(['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'])(
    'refuses what is below %s',
    (topLevel) => {
      expect(() => requireDomainName(`shop.${topLevel}`)).toThrow('name must be a domain of the public DNS');
    },
  );

  it.each([
    'com',
    '127.1',
    '0x7f.1',
    '1.2.3.4',
    '::1',
    'a@b.com',
    'a b.com',
    'a.com:25',
    'a\0.com',
    'a.com..',
    '.a.com',
    '.',
  ])('refuses %j', (text) => {
    expect(() => requireDomainName(text)).toThrow('name must be a domain such as example.com');
  });

  it.each(['co.uk', 'github.io', 'compute.amazonaws.com'])('refuses the public suffix %s', (text) => {
    expect(() => requireDomainName(text)).toThrow(`name must be a domain of its own: ${text} is a public suffix`);
  });
});

describe('registeredDomainOf', () => {
  it.each([
    ['example.com', 'example.com'],
    ['mail.example.com', 'example.com'],
    ['example.co.uk', 'example.co.uk'],
    ['news.mail.example.co.uk', 'example.co.uk'],
    ['mail.xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['shop.example.com.br', 'example.com.br'],
    ['corp', 'corp'],
  ])('of %s is %s', (name, registered) => {
    expect(registeredDomainOf(name)).toBe(registered);
  });
});
