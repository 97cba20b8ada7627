import { describe, expect, it } from '@jest/globals';

import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { countIterations } from '../../../../test/support/event-loop.js';
import { deriveText } from './derive-text.js';

describe('deriveText', () => {
  it.each([
    ['paragraphs', '<p>One</p>\n<p>Two\n  lines</p>', 'One\n\nTwo lines'],
    ['character references', '<p>H&auml;user &amp; more&nbsp;&lt;3</p>', 'Häuser & more\u00a0<3'],
    ['headings', '<h1>Thank <b>you</b></h1>now', 'THANK YOU\n\nnow'],
    [
      'a link',
      'See <a href="https://a.example/?b=1&amp;c=2">what <i>is</i> new</a>.',
      'See what is new [https://a.example/?b=1&c=2].',
    ],
    ['a link that shows its address', '<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['a link without text', '<a href="https://a.example"><img src="x"></a>', '[https://a.example]'],
    ['a link within the page', '<a href="#top">Up</a>', 'Up'],
    ['a mail address', '<a href="mailto:a@b.example">Write</a>', 'Write [a@b.example]'],
    [
      'unclosed links',
      '<a href="https://a.example">a<a href="https://b.example">b</a>',
      'a [https://a.example]b [https://b.example]',
    ],
    ['lists', '<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></ul>', ' * a\n * b\n\n   1. c\n   2. d'],
    ['line breaks', 'a<br>b<br/><br>c', 'a\nb\n\nc'],
    ['cells', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['preformatted text', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
    ['a quotation', '<p>a</p><blockquote>b<br>c</blockquote>d', 'a\n\n> b\n> c\n\nd'],
    ['a rule', 'a<hr>b', 'a\n---\nb'],
    [
      'no style, script, title or comment',
      '<title>t</title><style>p > a {}</style><script>"<p>"</script><!-- c -->a',
      'a',
    ],
    ['spaces between elements', '<b>a</b> <i>b</i>', 'a b'],
    ['nothing', '', ''],
    ['unclosed elements', '<p>a<p>b<div>c', 'a\n\nb\nc'],
  ])('converts %s', async (_, html, text) => {
    expect(await deriveText(html)).toBe(text);
  });

  it('converts a long body like a short one', async () => {
    const paragraph = '<p>Häuser &amp; <a href="https://a.example/">m&ouml;re</a> 💌\r\n</p>';
    const count = 5_000;
    const once = 'Häuser & möre [https://a.example/] 💌';
    expect(await deriveText(paragraph.repeat(count))).toBe(Array.from({ length: count }, () => once).join('\n\n'));
  });

  it('lets long bodies take turns, one in each iteration of the event loop', async () => {
    const [bodies, slices] = [20, 10];
    const html = '<p>One</p>\n'.repeat(slices * 3_000);
    const derive = () => Promise.all(Array.from({ length: bodies }, () => deriveText(html)));
    const iterations = await countIterations(derive);
    expect(iterations).toBeGreaterThanOrEqual(bodies * (slices - 1));
  });

  /** Parsers that build a tree take half a minute for these. */
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
  ])('takes little time for a megabyte of %s, and does not block the event loop', async (_, html) => {
    let text = '';
    let iterations = 0;
    const derive = async () => {
      iterations = await countIterations(async () => (text = await deriveText(html)));
    };
    expect(await cpuTimeOf(derive)).toBeLessThan(10_000);
    expect(iterations).toBeGreaterThan(1);
    expect(text.length).toBeLessThanOrEqual(1_000_000);
  });
});
