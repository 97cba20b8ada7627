import { describe, expect, it } from '@jest/globals';

import { isLogoUrl, logoSource } from './branding.js';

describe('isLogoUrl', () => {
  it.each([
    'https://cdn.example.com/logo.png',
    'https://cdn.example.com:8443/a/b?v=2',
    'https://例え.example/ロゴ.svg',
  ])('accepts %s', (url) => {
    expect(isLogoUrl(url)).toBe(true);
  });

  it.each([
    'http://cdn.example.com/logo.png',
    'https://cdn.example.com',
    'https://cdn.example.com/logos/',
    'https://cdn.example.com/logos/?file=logo.png',
    'https://ada:secret@cdn.example.com/logo.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '/logo.png',
    '',
    `https://cdn.example.com/${'a'.repeat(2_000)}`,
  ])('refuses %s', (url) => {
    expect(isLogoUrl(url)).toBe(false);
  });
});

describe('logoSource', () => {
  it.each([
    ['https://cdn.example.com/logo.png?v=2#top', 'https://cdn.example.com/logo.png'],
    ["https://cdn.example.com/a;script-src *,b'c.png", "https://cdn.example.com/a%3Bscript-src%20*%2Cb'c.png"],
    ['https://例え.example/ロゴ.svg', 'https://xn--r8jz45g.example/%E3%83%AD%E3%82%B4.svg'],
  ])('of %s is %s', (url, source) => {
    expect(logoSource(url)).toBe(source);
  });
});
