import { describe, expect, it } from '@jest/globals';

import { isNestedTooDeep, MAX_HTML_DEPTH } from './html-nesting.js';

const nested = (depth: number, name = 'div') => `<${name}>`.repeat(depth) + 'x' + `</${name}>`.repeat(depth);

describe('isNestedTooDeep', () => {
  it.each([
    ['as deep as is allowed', nested(MAX_HTML_DEPTH)],
    ['many elements beside each other', '<b>x</b>'.repeat(100_000)],
    ['elements whose end tag may be left out', '<ul><li>x<p>y'.repeat(1) + '<li>x<p>y'.repeat(100_000)],
    ['void elements', '<br><img src="x"/>'.repeat(100_000)],
    ['tags in comments and scripts', `<!--${'<b>'.repeat(1_000)}--><script>${'<b>'.repeat(1_000)}</script>`],
    ['a drawing whose elements close themselves', `<svg>${'<path d="M0 0"/>'.repeat(1_000)}</svg>`],
  ])('takes %s', async (_, html) => {
    expect(await isNestedTooDeep(html)).toBe(false);
  });

  it.each([
    ['one level more', nested(MAX_HTML_DEPTH + 1)],
    ['elements that never end', '<b>'.repeat(333_000)],
    ['end tags without a beginning between', '<b></i>'.repeat(1_000)],
    ['tables', '<table><tr><td>'.repeat(1_000)],
    ['an element that HTML does not let close itself', '<div/>'.repeat(1_000)],
  ])('refuses %s', async (_, html) => {
    expect(await isNestedTooDeep(html)).toBe(true);
  });
});
