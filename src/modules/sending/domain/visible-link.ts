import type { Token } from 'parse5';

import type { ContentTask } from '../../../concurrency/content-threads.js';
import { HtmlReader } from '../../../shared/html-reader.js';
import { INVISIBLE } from '../../../mail/writing/derive-text.js';

/** Attributes with URLs that readers can open, by element. */
const OPENED = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['form', 'action'],
  ['button', 'formaction'],
]);
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const DISPLAY_NONE = /(?:^|;)\s*display\s*:\s*none(?![\w-])/i;

/**
 * Whether readers of the HTML see the URL, as a link or as text: not in a comment, in an element that is never shown,
 * such as `<style>`, or in one with the attribute `hidden` or `display: none` in its own style.
 */
export function isLinkVisible(html: string, url: string): boolean {
  const reader = new LinkReader(url);
  reader.read(html);
  return reader.found;
}

export const IS_LINK_VISIBLE: ContentTask<{ html: string; url: string }, boolean> = {
  name: 'visible link',
  subject: 'html',
  run: ({ html, url }) => isLinkVisible(html, url),
};

class LinkReader extends HtmlReader {
  private isFound = false;
  /** The hidden element that the reader is in, and how many elements of that name are open. */
  private hidden: { name: string; open: number } | null = null;
  /** Text since the last tag: the tokenizer reports words and white space one by one. */
  private run = '';

  constructor(private readonly url: string) {
    super();
  }

  get found(): boolean {
    this.endRun();
    return this.isFound;
  }

  protected startTag(token: Token.TagToken): void {
    this.endRun();
    const { tagName: name, attrs } = token;
    // A paragraph ends where the next one begins.
    if (this.hidden?.name === 'p' && name === 'p') this.hidden = null;
    if (this.hidden) {
      if (name === this.hidden.name && !this.isEmpty(token)) this.hidden.open += 1;
    } else if (INVISIBLE.has(name) || attrs.some(hides)) {
      if (!this.isEmpty(token)) this.hidden = { name, open: 1 };
    } else {
      const opened = OPENED.get(name);
      this.isFound ||= attrs.some((attribute) => attribute.name === opened && attribute.value.includes(this.url));
    }
  }

  protected endTag({ tagName }: Token.TagToken): void {
    this.endRun();
    if (this.hidden?.name !== tagName) return;
    this.hidden.open -= 1;
    if (this.hidden.open === 0) this.hidden = null;
  }

  protected characters({ chars }: Token.CharacterToken): void {
    if (!this.hidden) this.run += chars;
  }

  protected comment(): void {
    // not shown
  }

  protected doctype(): void {
    // not shown
  }

  private isEmpty({ tagName, selfClosing }: Token.TagToken): boolean {
    return VOID.has(tagName) || (selfClosing && this.isForeign);
  }

  private endRun(): void {
    this.isFound ||= this.run.includes(this.url);
    this.run = '';
  }
}

const hides = ({ name, value }: { name: string; value: string }): boolean =>
  name === 'hidden' || (name === 'style' && DISPLAY_NONE.test(value));
