import { describe, expect, it } from '@jest/globals';

import { TrackedLinks } from './ports/tracked-links.js';
import { TrackHtml } from './track-html.service.js';

class FakeLinks extends TrackedLinks {
  click = (messageId: string, target: string) => `https://t.example/r/${messageId}?u=${encodeURIComponent(target)}&s=1`;
  open = (messageId: string) => `https://t.example/r/${messageId}/open.gif?s=1`;
  isClick = () => false;
  isOpen = () => false;
  isOwn = ({ href }: URL) => href.startsWith('https://t.example/');
}

const tracking = new TrackHtml(new FakeLinks());
const PIXEL = '<img src="https://t.example/r/m/open.gif?s=1" alt="" width="1" height="1" border="0">';
const track = (html: string, unsubscribeUrl: string | null = null) => tracking.track({ id: 'm', unsubscribeUrl }, html);

describe('TrackHtml', () => {
  it('rewrites links and adds the pixel at the end', async () => {
    expect(await track('<body><a href="https://a.example/?b&amp;c">x</a></body>')).toBe(
      `<body><a href="https://t.example/r/m?u=https%3A%2F%2Fa.example%2F%3Fb%26c&amp;s=1">x</a>${PIXEL}</body>`,
    );
  });

  it('only adds another pixel to a message that is tracked already', async () => {
    const once = await track('<a href="https://a.example">x</a>');
    expect(await track(once)).toBe(once + PIXEL);
  });

  it('does not rewrite unsubscribe links', async () => {
    for (const href of ['https://t.example/u/token', 'https://shop.example/out?a=1&amp;b=2', '{{unsubscribeUrl}}']) {
      const html = `<a href="${href}">x</a>`;
      expect(await track(html, 'https://SHOP.example/out?a=1&b=2')).toBe(html + PIXEL);
    }
  });

  it('keeps links that would become too long for proxies and browsers', async () => {
    const html = `<a href="https://a.example/${'ü'.repeat(1_000)}">x</a>`;
    expect(await track(html)).toBe(html + PIXEL);
  });
});
