import type { Token } from 'parse5';

import { HtmlReader } from '../../shared/html-reader.js';

/** The limit for a text part in a request. */
const MAX_LENGTH = 1_000_000;
const MAX_INDENTED_LEVELS = 4;

/**
 * Derives a text part from an HTML body, with separate paragraphs, headings in capitals, marked list items and link
 * URLs in brackets. Takes linear time for any nesting of elements.
 */
export function deriveText(html: string): string {
  const reader = new TextReader();
  reader.read(html);
  return reader.text;
}

/** Line breaks before and after: 2 leaves an empty line. */
const BREAKS = new Map<string, 1 | 2>([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre'].map(
    (name) => [name, 2] as const,
  ),
  ...['div', 'li', 'dt', 'dd', 'tr', 'caption', 'section', 'article', 'header', 'footer', 'main', 'aside', 'nav'].map(
    (name) => [name, 1] as const,
  ),
  ...['address', 'figure', 'figcaption', 'form', 'fieldset', 'center', 'body', 'hr'].map((name) => [name, 1] as const),
]);
/** Elements whose content is never shown. */
export const INVISIBLE = new Set(['style', 'script', 'title', 'iframe', 'noembed', 'noframes', 'template']);
const HEADING = /^h[1-6]$/;
const BLANKS = /[\t\n\f\r ]+/g;

interface Link {
  href: string;
  /** The beginning of the link's text, to detect that it is the URL itself. */
  shown: string;
}

class TextReader extends HtmlReader {
  private readonly parts: string[] = [];
  private length = 0;
  /** Line breaks to write before the next visible character. */
  private breaks = 0;
  private needsSpace = false;
  private marker = '';
  /** The numbers of the next items; null in a list without numbers. */
  private readonly lists: (number | null)[] = [];
  private readonly depths = { invisible: 0, heading: 0, pre: 0, blockquote: 0 };
  private link: Link | null = null;
  /** Text since the last tag: the tokenizer reports words and white space one by one. */
  private run = '';

  get text(): string {
    this.endRun();
    return this.parts.join('').slice(0, MAX_LENGTH);
  }

  protected startTag(token: Token.TagToken): void {
    this.endRun();
    const { tagName: name } = token;
    if (INVISIBLE.has(name) && !token.selfClosing) this.depths.invisible += 1;
    this.requireBreaks(BREAKS.get(name) ?? 0);
    if (name === 'br') this.breakLine();
    else if (name === 'hr') this.write('---');
    else if (name === 'td' || name === 'th') this.needsSpace = true;
    else if (name === 'a') this.openLink(token);
    else if (name === 'ul') this.lists.push(null);
    else if (name === 'ol') this.lists.push(1);
    else if (name === 'li') this.openItem();
    this.enter(name, 1);
    if (name === 'hr') this.requireBreaks(1);
  }

  protected endTag({ tagName: name }: Token.TagToken): void {
    this.endRun();
    if (INVISIBLE.has(name) && this.depths.invisible > 0) this.depths.invisible -= 1;
    if (name === 'a') this.closeLink();
    if (name === 'ul' || name === 'ol') this.lists.pop();
    this.enter(name, -1);
    this.requireBreaks(BREAKS.get(name) ?? 0);
  }

  protected characters({ chars }: Token.CharacterToken): void {
    if (this.depths.invisible === 0) this.run += chars;
  }

  protected comment(): void {
    // not shown
  }

  protected doctype(): void {
    // not shown
  }

  private endRun(): void {
    if (this.run === '') return;
    if (this.depths.pre > 0) this.writeLines(this.run);
    else this.writeCollapsed(this.run);
    this.run = '';
  }

  private enter(name: string, step: 1 | -1): void {
    const { depths } = this;
    if (HEADING.test(name))
      depths.heading = step === 1 ? 1 : 0; // headings do not nest
    else if (name === 'pre' || name === 'blockquote') depths[name] = Math.max(0, depths[name] + step);
  }

  private requireBreaks(breaks: number): void {
    if (breaks > 0) this.needsSpace = false;
    this.breaks = Math.max(this.breaks, breaks);
  }

  /** An explicit line break adds to those around elements. */
  private breakLine(): void {
    this.needsSpace = false;
    this.breaks = Math.min(this.breaks + 1, 2);
  }

  private openItem(): void {
    const number = this.lists.at(-1) ?? null;
    if (number !== null) this.lists[this.lists.length - 1] = number + 1;
    const indent = '  '.repeat(Math.min(Math.max(this.lists.length - 1, 0), MAX_INDENTED_LEVELS));
    this.marker = `${indent} ${number === null ? '*' : `${number}.`} `;
  }

  private openLink({ attrs }: Token.TagToken): void {
    this.closeLink(); // links do not nest
    const href = attrs.find(({ name }) => name === 'href')?.value.trim() ?? '';
    if (href !== '' && !href.startsWith('#')) this.link = { href, shown: '' };
  }

  private closeLink(): void {
    const { link } = this;
    this.link = null;
    if (link === null) return;
    const address = link.href.replace(/^mailto:/i, '');
    if (link.shown.trim() !== address) this.write(`${link.shown === '' ? '' : ' '}[${address}]`);
  }

  private writeLines(chars: string): void {
    chars.split(/\r\n|\r|\n/).forEach((line, i) => {
      if (i > 0) this.breaks = Math.min(this.breaks + 1, 2);
      if (line !== '') this.show(line);
    });
  }

  private writeCollapsed(chars: string): void {
    const collapsed = chars.replace(BLANKS, ' ');
    if (collapsed.startsWith(' ')) this.needsSpace = true;
    const text = collapsed.trim();
    if (text === '') return;
    this.show(text);
    this.needsSpace = collapsed.endsWith(' ');
  }

  private show(text: string): void {
    const { link, depths } = this;
    if (link && link.shown.length <= link.href.length) link.shown += text.slice(0, link.href.length + 1);
    this.write(depths.heading > 0 ? text.toUpperCase() : text);
  }

  private write(text: string): void {
    if (this.depths.invisible > 0 || this.length > MAX_LENGTH) return;
    const hasText = this.parts.length > 0;
    const quote = this.depths.blockquote > 0 ? '> ' : '';
    let before = '';
    if (hasText && this.breaks > 0) before = '\n'.repeat(this.breaks) + quote;
    else if (hasText && this.needsSpace) before = ' ';
    else if (!hasText) before = quote;
    this.breaks = 0;
    this.needsSpace = false;
    const part = before + this.marker + text;
    this.marker = '';
    this.parts.push(part);
    this.length += part.length;
  }
}
