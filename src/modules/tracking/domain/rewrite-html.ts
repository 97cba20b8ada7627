import { escapeHtml } from '../../../shared/text.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { readMarkup } from './read-markup.js';

/**
 * The document with other addresses in its links and with `pixel` at its end. Every byte outside of the addresses stays as
 * it is. `replace` gets an address with its character references decoded; null leaves that link alone.
 */
export async function rewriteHtml(
  html: string,
  replace: (href: string) => string | null,
  pixel: string,
): Promise<string> {
  const { links, end } = await readMarkup(html);
  const slice = new TimeSlice();
  const parts: string[] = [];
  let copied = 0;
  const put = (start: number, stop: number, text: string): void => {
    parts.push(html.slice(copied, start), text);
    copied = stop;
  };
  let isPixelPut = false;
  for (const link of links) {
    if (slice.isOver) await slice.next();
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
