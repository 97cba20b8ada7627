import type { Token } from 'parse5';

import type { ContentTask } from '../../../concurrency/content-threads.js';
import { HtmlReader } from '../../../shared/html-reader.js';

/** Ordinary mail has fewer than fifty levels, and browsers stop at 512. */
export const MAX_HTML_DEPTH = 256;

const TAG = /<[a-z]/gi;
const VOID = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr'],
]);
/** Without an end tag, these end at the next one or with their parent, so they do not nest. */
const OPTIONAL_END = new Set([
  ...['p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'colgroup', 'option', 'optgroup', 'rt', 'rp'],
]);

/**
 * Whether elements are nested deeper than mail needs. HTML parsers, including those of recipients, can take time
 * quadratic in the depth. This check takes linear time.
 */
export function isNestedTooDeep(html: string): boolean {
  if (!hasManyTags(html)) return false;
  const reader = new DepthReader();
  reader.read(html);
  return reader.deepest > MAX_HTML_DEPTH;
}

export const IS_NESTED_TOO_DEEP: ContentTask<string, boolean> = {
  name: 'nesting',
  subject: 'html',
  run: isNestedTooDeep,
};

function hasManyTags(html: string): boolean {
  TAG.lastIndex = 0;
  for (let count = 0; TAG.test(html);) if (++count > MAX_HTML_DEPTH) return true;
  return false;
}

class DepthReader extends HtmlReader {
  deepest = 0;
  private depth = 0;
  /** The open elements by name, so that an end tag without a start tag closes nothing. */
  private readonly open = new Map<string, number>();

  protected startTag({ tagName, selfClosing }: Token.TagToken): void {
    if (VOID.has(tagName) || OPTIONAL_END.has(tagName)) return;
    if (selfClosing && this.isForeign) return;
    this.open.set(tagName, (this.open.get(tagName) ?? 0) + 1);
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
  }

  protected endTag({ tagName }: Token.TagToken): void {
    const open = this.open.get(tagName) ?? 0;
    if (open === 0) return;
    this.open.set(tagName, open - 1);
    this.depth -= 1;
  }

  protected comment(): void {
    // no element
  }

  protected doctype(): void {
    // no element
  }

  protected characters(): void {
    // no element
  }
}
