import { describe, expect, it } from '@jest/globals';

import { firstLink } from './first-link.js';

describe('The link that a simulated recipient clicks', () => {
  it.each([
    ['<p><a href="https://shop.example/a?b=1&amp;c=2">A</a> <a href="https://shop.example/b">B</a></p>'],
    [`<a href="mailto:ada@example.org">Ada</a><a class=x HREF = 'https://shop.example/a?b=1&c=2'>A</a>`],
  ])('is the first web link of %s', (html) => {
    expect(firstLink(html)).toBe('https://shop.example/a?b=1&c=2');
  });

  it('is no text that cannot be stored, where a long one is cut', () => {
    expect(firstLink(`<a href="https://${'a'.repeat(1_999)}😀b">x</a>`)).toBe(`https://${'a'.repeat(1_999)}\ufffd`);
  });

  it.each([[null], [''], ['<p>No link</p>'], ['<a href="/relative">x</a>']])('is a fixed one for %j', (html) => {
    expect(firstLink(html)).toBe('https://simulator.test/');
  });
});
