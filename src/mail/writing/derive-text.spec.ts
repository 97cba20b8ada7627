import { describe, expect, it } from '@jest/globals';

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
  ])('converts %s', (_, html, text) => {
    expect(deriveText(html)).toBe(text);
  });

  it('converts a long body like a short one', () => {
    const paragraph = '<p>Häuser &amp; <a href="https://a.example/">m&ouml;re</a> 💌\r\n</p>';
    const count = 5_000;
    const once = 'Häuser & möre [https://a.example/] 💌';
    expect(deriveText(paragraph.repeat(count))).toBe(Array.from({ length: count }, () => once).join('\n\n'));
  });
});
