import { describe, expect, it } from '@jest/globals';

import { customHeader } from './mail-headers.js';

describe('customHeader', () => {
  it('never has a line of white space only, at which some programs see the end of the header', () => {
    const value = `a${' '.repeat(200)}b`;
    expect(customHeader('X-Order', value)).toBe(`X-Order: ${value}`);
    const lines = customHeader('X-Order', 'word '.repeat(100)).split('\r\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.every((line) => line.trim() !== '')).toBe(true);
  });
});
