import { type Token, Tokenizer, type TokenHandler, TokenizerMode } from 'parse5';

/** The `href` of a link as it stands in the source. */
export interface SourceLink {
  /** Its value with character references decoded. */
  href: string;
  /** Where the value begins and ends in the source, its quotes left out. */
  start: number;
  end: number;
  quoted: boolean;
  /** Marked `data-no-track`. */
  isExempt: boolean;
}

export interface Markup {
  links: SourceLink[];
  /** Before the last `</body>`; without one, where the last piece of markup ends that is not broken off. */
  end: number;
}

/**
 * Finds the links of a document. It reads tokens and builds no tree, because trees of malformed HTML can take time that
 * grows with the square of its length.
 */
export function readMarkup(html: string): Markup {
  const reader = new MarkupReader(html);
  return { links: reader.links, end: reader.end };
}

const TEXT_CONTENT = new Map<string, Tokenizer['state']>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);
const FOREIGN = new Set(['svg', 'math']);
const LINKS = new Set(['a', 'area']);

class MarkupReader implements TokenHandler {
  readonly links: SourceLink[] = [];
  readonly onParseError = null;
  private readonly tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  private bodyEnd: number | undefined;
  /** Of an element whose content is text, or a comment, that has not ended. */
  private openedAt: number | undefined;
  private lastEnd = 0;
  private foreignDepth = 0;

  constructor(private readonly html: string) {
    this.tokenizer.write(html, true);
  }

  get end(): number {
    return this.bodyEnd ?? this.openedAt ?? this.lastEnd;
  }

  onStartTag(token: Token.TagToken): void {
    const { startOffset } = this.pass(token);
    if (LINKS.has(token.tagName)) this.addLink(token);
    if (FOREIGN.has(token.tagName) && !token.selfClosing) this.enterForeign(1);
    const content = this.foreignDepth > 0 ? undefined : TEXT_CONTENT.get(token.tagName);
    if (content === undefined) return;
    this.tokenizer.state = content;
    this.openedAt = startOffset;
  }

  onEndTag(token: Token.TagToken): void {
    const { startOffset } = this.pass(token);
    this.openedAt = undefined;
    if (FOREIGN.has(token.tagName) && this.foreignDepth > 0) this.enterForeign(-1);
    if (token.tagName === 'body') this.bodyEnd = startOffset;
  }

  onComment(token: Token.CommentToken): void {
    const { startOffset, endOffset } = this.pass(token);
    const source = this.html.slice(startOffset, endOffset);
    if (!(source.startsWith('<!--') ? /--!?>$/ : />$/).test(source)) this.openedAt = startOffset;
  }

  onDoctype(token: Token.DoctypeToken): void {
    this.pass(token);
  }

  onCharacter(token: Token.CharacterToken): void {
    this.pass(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.pass(token);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.pass(token);
  }

  onEof(): void {
    // what is broken off before it has made no token
  }

  private pass({ location }: Token.Token): Token.Location {
    if (!location) throw new Error('The tokenizer was not asked for locations');
    this.lastEnd = location.endOffset;
    return location;
  }

  private enterForeign(step: 1 | -1): void {
    this.foreignDepth += step;
    this.tokenizer.inForeignNode = this.foreignDepth > 0;
  }

  private addLink({ attrs, location }: Token.TagToken): void {
    const href = attrs.find(({ name }) => name === 'href');
    const place = location?.attrs?.href;
    if (!href || !place) return;
    const source = this.html.slice(place.startOffset, place.endOffset);
    const opening = /^[^=]*=[\t\n\f\r ]*(["']?)/.exec(source);
    if (!opening) return; // an attribute without a value
    const quoted = opening[1] !== '';
    this.links.push({
      href: href.value,
      start: place.startOffset + opening[0].length,
      end: place.endOffset - (quoted ? 1 : 0),
      quoted,
      isExempt: attrs.some(({ name }) => name === 'data-no-track'),
    });
  }
}
