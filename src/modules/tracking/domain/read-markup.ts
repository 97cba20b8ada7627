import type { Token } from 'parse5';

import { HtmlReader } from '../../../shared/html-reader.js';

/** The `href` of a link in the source. */
export interface SourceLink {
  /** The value with character references decoded. */
  href: string;
  /** The position of the value in the source, without its quotes. */
  start: number;
  end: number;
  quoted: boolean;
  /** Marked `data-no-track`. */
  isExempt: boolean;
}

export interface Markup {
  links: SourceLink[];
  /** The position before the last `</body>`; without one, after the last complete piece of markup. */
  end: number;
}

/** Finds the links of a document. */
export function readMarkup(html: string): Markup {
  const reader = new MarkupReader(html);
  reader.read(html);
  return { links: reader.links, end: reader.end };
}

const LINKS = new Set(['a', 'area']);

class MarkupReader extends HtmlReader {
  readonly links: SourceLink[] = [];
  private bodyEnd: number | undefined;
  /** The start of an unclosed comment, or of an unclosed element that contains only text. */
  private openedAt: number | undefined;
  private lastEnd = 0;

  constructor(private readonly html: string) {
    super();
  }

  get end(): number {
    return this.bodyEnd ?? this.openedAt ?? this.lastEnd;
  }

  protected startTag(token: Token.TagToken): void {
    const { startOffset } = this.pass(token);
    if (LINKS.has(token.tagName)) this.addLink(token);
    if (this.holdsText(token)) this.openedAt = startOffset;
  }

  protected endTag(token: Token.TagToken): void {
    const { startOffset } = this.pass(token);
    this.openedAt = undefined;
    if (token.tagName === 'body') this.bodyEnd = startOffset;
  }

  protected comment(token: Token.CommentToken): void {
    const { startOffset, endOffset } = this.pass(token);
    const isComment = this.html.startsWith('<!--', startOffset);
    const end = this.html.slice(Math.max(startOffset, endOffset - 4), endOffset);
    if (!(isComment ? /--!?>$/ : />$/).test(end)) this.openedAt = startOffset;
  }

  protected doctype(token: Token.DoctypeToken): void {
    this.pass(token);
  }

  protected characters(token: Token.CharacterToken): void {
    this.pass(token);
  }

  private pass({ location }: Token.Token): Token.Location {
    if (!location) throw new Error('The tokenizer was not asked for locations');
    this.lastEnd = location.endOffset;
    return location;
  }

  private addLink({ attrs, location }: Token.TagToken): void {
    const href = attrs.find(({ name }) => name === 'href');
    const position = location?.attrs?.href;
    if (!href || !position) return;
    const source = this.html.slice(position.startOffset, position.endOffset);
    const opening = /^[^=]*=[\t\n\f\r ]*(["']?)/.exec(source);
    if (!opening) return; // an attribute without a value
    const quoted = opening[1] !== '';
    this.links.push({
      href: href.value,
      start: position.startOffset + opening[0].length,
      end: position.endOffset - (quoted ? 1 : 0),
      quoted,
      isExempt: attrs.some(({ name }) => name === 'data-no-track'),
    });
  }
}
