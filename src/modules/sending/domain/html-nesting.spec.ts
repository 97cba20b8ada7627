import { describe, expect, it } from '@jest/globals';

import { isNestedTooDeep, MAX_HTML_DEPTH } from './html-nesting.js';

const nested = (depth: number, name = 'div') => `<${name}>`.repeat(depth) + 'x' + `</${name}>`.repeat(depth);

describe('isNestedTooDeep', () => {
  it.each([
    ['the maximum depth', nested(MAX_HTML_DEPTH)],
    ['many sibling elements', '<b>x</b>'.repeat(100_000)],
    ['elements with an optional end tag', '<ul><li>x<p>y'.repeat(1) + '<li>x<p>y'.repeat(100_000)],
    ['void elements', '<br><img src="x"/>'.repeat(100_000)],
    ['tags in comments and scripts', `<!--${'<b>'.repeat(1_000)}--><script>${'<b>'.repeat(1_000)}</script>`],
    ['a drawing with self-closing elements', `<svg>${'<path d="M0 0"/>'.repeat(1_000)}</svg>`],
  ])('accepts %s', (_, html) => {
    expect(isNestedTooDeep(html)).toBe(false);
  });

  it.each([
    ['one level more than the maximum', nested(MAX_HTML_DEPTH + 1)],
    ['elements that never end', '<b>'.repeat(333_000)],
    ['end tags without a start tag in between', '<b></i>'.repeat(1_000)],
    ['tables', '<table><tr><td>'.repeat(1_000)],
    ['an element that is not self-closing in HTML', '<div/>'.repeat(1_000)],
  ])('refuses %s', (_, html) => {
    expect(isNestedTooDeep(html)).toBe(true);
  });
});
