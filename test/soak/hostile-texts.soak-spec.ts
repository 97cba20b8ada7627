import { beforeAll, describe, expect, it } from '@jest/globals';

import { deriveText } from '../../src/mail/writing/derive-text.js';
import { isOneClick } from '../../src/modules/suppression/http/is-one-click.js';
import { parseTemplate } from '../../src/modules/templates/domain/parse-template.js';
import { rewriteHtml } from '../../src/modules/tracking/domain/rewrite-html.js';
import { startOfHeaders } from '../../src/platform/safe-http/reply-headers.js';
import { cpuTimeOf, referenceCpuTime } from '../support/cpu-time.js';

const MULTIPART = 'multipart/form-data; boundary="x"';

/** Figures are multiples of the reference: what does not take linear time takes hundreds of it. */
describe('Hostile texts take CPU time in proportion to their length:', () => {
  let referenceMs: number;

  beforeAll(async () => {
    referenceMs = await referenceCpuTime();
  });

  const relativeTimeOf = async (work: () => unknown) => (await cpuTimeOf(work)) / referenceMs;

  it.each([
    ['formatting elements', '<b>'.repeat(333_000)],
    ['lists', '<ul>'.repeat(250_000)],
    ['drawings', '<svg>'.repeat(200_000)],
    ['tables', '<table><tr><td>'.repeat(66_000)],
    ['items', '<ul><li>a'.repeat(111_000)],
    ['quotations', '<blockquote>a<br>'.repeat(58_000)],
    ['links', '<a href=x>y'.repeat(90_000)],
    ['rules', '<hr>'.repeat(250_000)],
    ['text', '&lt; '.repeat(200_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['preformatted lines', `<pre>${'\n'.repeat(999_000)}`],
    ['one tag', `<a ${'b '.repeat(500_000)}`],
  ])('deriving the text of a megabyte of %s', async (_, html) => {
    let text = '';
    const derive = () => (text = deriveText(html));
    expect(await relativeTimeOf(derive)).toBeLessThan(60);
    expect(text.length).toBeLessThanOrEqual(1_000_000);
  });

  it.each([
    ['an unclosed tag of blanks', '{{a' + ' '.repeat(499_000)],
    ['an unclosed triple tag', '{{{a}}' + ' '.repeat(499_000)],
    ['openings only', '{{'.repeat(249_000)],
    ['comments of blanks', `{{!${' '.repeat(990)}x}}`.repeat(500)],
    ['tags only', '{{a}}'.repeat(99_000)],
  ])('parsing or refusing a template of %s', async (_, template) => {
    const parse = () => {
      try {
        parseTemplate('html', template);
      } catch (error) {
        expect((error as Error).message).toMatch(/^html /);
      }
    };
    expect(await relativeTimeOf(parse)).toBeLessThan(12);
  });

  it.each([
    ['5,000 links', '<p><a href="https://a.example/?b=c&amp;d=e">x</a></p>'.repeat(5_000)],
    ['200,000 open elements', '<div>'.repeat(200_000)],
    ['formatting elements that other parsers repeat without end', '<b a=1><p>'.repeat(100_000)],
    [
      'one tag of 200,000 attributes',
      `<a ${Array.from({ length: 200_000 }, (_, i) => `a${i}`).join(' ')} href="https://a.example">`,
    ],
    ['a million blanks in a tag', `<a href=${' '.repeat(1_000_000)}>`],
    ['a million quotes', '<a href="'.repeat(110_000)],
    ['100,000 comments that do not end', '<!--'.repeat(250_000)],
    ['a million ampersands', `<a href="${'&am'.repeat(330_000)}">`],
  ])('rewriting the links of %s', async (_, html) => {
    let rewritten = '';
    const rewrite = () => (rewritten = rewriteHtml(html, (href) => `https://t.example/?u=${href}`, '<img>'));
    expect(await relativeTimeOf(rewrite)).toBeLessThan(30);
    expect(rewritten.length).toBeGreaterThan(html.length);
  });

  it('reading a multipart form', async () => {
    const header = 'content-disposition: form-data; name="List-Unsubscribe"\n';
    const bodies = [
      header.repeat(1_000),
      `${header}${'a\n'.repeat(30_000)}`,
      ';'.repeat(60_000),
      `content-disposition:${';name=List-Unsubscribe'.repeat(2_000)}${'\na'.repeat(10_000)}`,
      `content-disposition:${';name=List-Unsubscribe'.repeat(1_400)}${'\r\n'.repeat(16_000)}`,
    ];
    const readAll = () => {
      for (let n = 0; n < 20; n++) for (const body of bodies) expect(isOneClick(MULTIPART, body)).toBe(false);
    };
    expect(await relativeTimeOf(readAll)).toBeLessThan(12);
  });

  it('redacting URLs in the headers of a response', async () => {
    const redactAll = () => {
      for (const part of ['//', '?', '?a=', '&', '=', '//a', '@', '//@', '#<'])
        expect(startOfHeaders({ location: part.repeat(100_000) })).toHaveProperty('location');
    };
    expect(await relativeTimeOf(redactAll)).toBeLessThan(12);
  });
});
