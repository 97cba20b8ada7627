import { escapeHtml } from '../../../shared/text.js';
import { readMarkup } from './read-markup.js';

/**
 * Replaces the URLs of links and adds `pixel` at the end; every other byte stays the same. `replace` gets the URL with
 * its character references decoded, and returns null to keep a link.
 */
export function rewriteHtml(html: string, replace: (href: string) => string | null, pixel: string): string {
  const { links, end } = readMarkup(html);
  const parts: string[] = [];
  let copied = 0;
  const put = (start: number, stop: number, text: string): void => {
    parts.push(html.slice(copied, start), text);
    copied = stop;
  };
  let isPixelPut = false;
  for (const link of links) {
    if (link.start > end && !isPixelPut) {
      put(end, end, pixel);
      isPixelPut = true;
    }
    const address = link.isExempt ? null : replace(link.href);
    if (address === null) continue;
    put(link.start, link.end, link.quoted ? escapeHtml(address) : `"${escapeHtml(address)}"`);
  }
  if (!isPixelPut) put(end, end, pixel);
  parts.push(html.slice(copied));
  return parts.join('');
}
