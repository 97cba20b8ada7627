import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';

import { budget } from '../../../../test/support/budget.js';
import { rewriteHtml } from './rewrite-html.js';

const PIXEL = '<img src="p">';
const TRACKED = 'https://t.example/?u=';

const track = (href: string) => (/^https?:/.test(href) ? TRACKED + encodeURIComponent(href) : null);
const rewrite = (html: string) => rewriteHtml(html, track, PIXEL);
const targetOf = (href: string) => (href.startsWith(TRACKED) ? decodeURIComponent(href.slice(TRACKED.length)) : href);

/** The href of every link according to a browser's parser. */
function hrefs(html: string): string[] {
  const found: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      const href = child.attrs.find(({ name }) => name === 'href');
      if (href && (child.tagName === 'a' || child.tagName === 'area')) found.push(href.value);
      visit('content' in child ? child.content : child);
    }
  };
  visit(parse(html, { scriptingEnabled: false }));
  return found;
}

describe('HTML with rewritten links', () => {
  it.each([
    ['double quotes', '<a href="https://a.example/">', `<a href="${TRACKED}https%3A%2F%2Fa.example%2F">`],
    ['single quotes', "<a href='https://a.example'>", `<a href='${TRACKED}https%3A%2F%2Fa.example'>`],
    ['no quotes', '<a href=https://a.example/>', `<a href="${TRACKED}https%3A%2F%2Fa.example%2F">`],
    ['blanks and capitals', '<A\n HREF = "https://a.example">', `<A\n HREF = "${TRACKED}https%3A%2F%2Fa.example">`],
    ['an image map', '<area href="http://a.example">', `<area href="${TRACKED}http%3A%2F%2Fa.example">`],
  ])('keeps the form of a link with %s', (_, html, expected) => {
    expect(rewrite(`${html}x</a>`)).toBe(`${expected}x</a>${PIXEL}`);
  });

  it('reads a URL as a browser does: with decoded character references, and the first of two attributes', () => {
    const html = '<a href="https://a.example/?b=1&amp;c=2&copy=3&#x2F;" href="https://b.example">x</a>';
    expect(targetOf(hrefs(rewrite(html))[0]!)).toBe('https://a.example/?b=1&c=2&copy=3/');
  });

  it.each([
    '<link rel="stylesheet" href="https://a.example">',
    '<base href="https://a.example/">',
    '<a data-no-track href="https://a.example">x</a>',
    '<a href="https://a.example" DATA-NO-TRACK="">x</a>',
    '<a href>x</a>',
    '<a href="mailto:a@example.com">x</a>',
    '<img src="https://a.example" alt="href=https://b.example">',
    '<!-- <a href="https://a.example">x</a> -->',
    '<!--[if mso]><a href="https://a.example">x</a><![endif]-->',
    '<style>a[href="https://a.example"]{}<a href="https://a.example"></style>',
    '<script>"<a href=https://a.example>"</script>',
    '<title><a href="https://a.example"></title>',
    '<textarea><a href="https://a.example"></textarea>',
    '<svg><![CDATA[<a href="https://a.example">]]></svg>',
    'href="https://a.example"',
  ])('leaves %s', (html) => {
    expect(rewrite(html)).toBe(html + PIXEL);
  });

  it('finds the links that mail clients show in malformed HTML', () => {
    const broken = [
      '<a href="https://a.example" <b>x</a',
      '><table><a href=https://a.example><tr></p>',
      '<noscript><a href="https://a.example">',
      '<svg><style><a href="https://a.example">',
      '<svg/><title></title><a href="https://a.example">',
    ];
    for (const html of broken)
      expect(new Set(hrefs(rewrite(html)))).toEqual(new Set([`${TRACKED}https%3A%2F%2Fa.example`]));
  });

  it.each([
    ['before </body>', '<body>x|</body></html>\n'],
    ['before the last </body> of several', '<body>x</body><p>y|</BODY >z'],
    ['at the end without </body>', '<p>x</p>|'],
    ['at the end of nothing', '|'],
    ['not at a </body> in a comment or a script', '<p>x<!-- </body> --><script>"</body>"</script>|'],
    ['before a tag that is broken off', '<p>x|<a href="https://a.example'],
    ['before a comment that does not end', '<p>x|<!-- y <b>'],
    ['before a style sheet that does not end', '<p>x|<style> p {} '],
  ])('has the pixel %s', (_, marked) => {
    expect(rewrite(marked.replace('|', ''))).toBe(marked.replace('|', PIXEL));
  });

  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom('mailto:a@example.com', '#top', '/x', 'javascript:alert(1)', 'https://ü.example/?a=b&amp;c=%20d'),
  );
  const quote = fc.constantFrom('"', "'");
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(address, quote).map(([url, q]) => `<a href=${q}${url.replaceAll(q, '')}${q}>x</a>`),
    },
    fc.constantFrom(...['<', '>', '"', "'", '=', '/', '&', '\r\n', '\n', '\r', '\0', '\ufeff', '💌', '&amp;', '&#38;']),
    fc.constantFrom(...['<!--', '-->', '<![CDATA[', ']]>', '<style>', '</style>', '<script>', '</script>', '<svg>']),
    fc.constantFrom(...['</svg>', '<title>', '</title>', '<body>', '</body>', '<table>', '<a href=', '<a', 'href']),
    fc.string({ unit: 'binary' }),
  );
  const document = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('differs from any original only in the URLs and the pixel', () => {
    const [mark, spot] = ['\u0001\u0001', '\u0002\u0002'];
    fc.assert(
      fc.property(document, (html) => {
        fc.pre(!html.includes(mark) && !html.includes(spot));
        const originals: string[] = [];
        const rewritten = rewriteHtml(html, (href) => (originals.push(href), mark), spot);
        const [before, after, ...more] = rewritten.split(spot);
        expect(more).toEqual([]);
        // What stands between the marks is found in the original, in order and without overlap; the rest are addresses.
        let rest = html;
        for (const kept of `${before}${after}`.split(new RegExp(`"${mark}"|${mark}`))) {
          const at = rest.indexOf(kept);
          expect(at).toBeGreaterThanOrEqual(0);
          rest = rest.slice(at + kept.length);
        }
        expect(rewriteHtml(html, () => null, '')).toBe(html);
      }),
      { numRuns: budget({ quick: 25, soak: 1_000 }) },
    );
  });

  it('has the same targets as the original, link by link', () => {
    const wellFormed = fc.array(
      fc.oneof(
        fc.tuple(address, quote).map(([url, q]) => `<p><a class=x href=${q}${url.replaceAll(q, '')}${q}>x</a>\r\n</p>`),
        fc.constantFrom('<p>Hello &amp; 💌</p>', '<!-- <a href="https://c.example"> -->', '<style>p > a {}</style>'),
      ),
    );
    fc.assert(
      fc.property(wellFormed, (pieces) => {
        const html = `<html><body>${pieces.join('')}</body></html>`;
        const rewritten = rewrite(html);
        expect(hrefs(rewritten).map(targetOf)).toEqual(hrefs(html));
        expect(hrefs(rewritten)).toEqual(hrefs(html).map((href) => track(href) ?? href));
      }),
      { numRuns: budget({ quick: 25, soak: 300 }) },
    );
  });

  /** An algorithm of quadratic complexity takes minutes for these. */
});
