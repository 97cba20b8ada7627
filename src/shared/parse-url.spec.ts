import { describe, expect, it } from '@jest/globals';

import { parseUrl } from './parse-url.js';

/** More calls than V8 needs to optimise a function. */
const MANY = 20_000;

describe('parseUrl', () => {
  it('accepts a URL with a character of Latin-1, however often it is called', () => {
    const hosts = Array.from({ length: MANY }, () => parseUrl('https://bücher.example/')?.hostname);
    expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
  });

  it('has nothing for a text that is no URL', () => {
    expect(parseUrl('bücher.example')).toBeNull();
  });
});
