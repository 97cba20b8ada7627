import { describe, expect, it } from '@jest/globals';

import type { LinkSigning } from './link-signing.js';
import { trackHtml } from './track-html.js';

const SIGNING: LinkSigning = {
  key: Buffer.from('key'),
  redirects: 'https://t.example/r',
  own: ['https://t.example/r/', 'https://t.example/u/'],
  confirmations: 'https://t.example/confirm/',
};
const PIXEL = '<img src="https://t.example/r/m/open.gif?s=1" alt="" width="1" height="1" border="0">';
/** With signatures of one character. */
const track = (html: string, unsubscribeUrl: string | null = null) =>
  trackHtml(SIGNING, { id: 'm', unsubscribeUrl }, html).replace(/(?<=[?;]s=)[\w-]{43}/g, '1');

describe('trackHtml', () => {
  it('rewrites links and adds the pixel at the end', () => {
    expect(track('<body><a href="https://a.example/?b&amp;c">x</a></body>')).toBe(
      `<body><a href="https://t.example/r/m?u=https%3A%2F%2Fa.example%2F%3Fb%26c&amp;s=1">x</a>${PIXEL}</body>`,
    );
  });

  it('only adds another pixel to a message that is tracked already', () => {
    const once = track('<a href="https://a.example">x</a>');
    expect(track(once)).toBe(once + PIXEL);
  });

  it('does not rewrite unsubscribe links', () => {
    for (const href of ['https://t.example/u/token', 'https://shop.example/out?a=1&amp;b=2', '{{unsubscribeUrl}}']) {
      const html = `<a href="${href}">x</a>`;
      expect(track(html, 'https://SHOP.example/out?a=1&b=2')).toBe(html + PIXEL);
    }
  });

  it('leaves a mail alone that asks to confirm a sign-up', () => {
    const html =
      '<a href="https://a.example">x</a> <a href="https:&#x2F;&#x2F;t.example&#x2F;confirm&#x2F;token">y</a>';
    expect(track(html)).toBe(html);
  });

  it('keeps links that would become too long for proxies and browsers', () => {
    const html = `<a href="https://a.example/${'ü'.repeat(1_000)}">x</a>`;
    expect(track(html)).toBe(html + PIXEL);
  });
});
