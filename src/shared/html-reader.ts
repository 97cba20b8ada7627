import { type Token, Tokenizer, type TokenHandler, TokenizerMode } from 'parse5';

/** Characters given to the tokenizer at a time, which drops what it has read. */
const PIECE = 32_768;

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

/**
 * Tokenises a document without building a tree, which can take quadratic time for malformed HTML.
 */
export abstract class HtmlReader implements TokenHandler {
  readonly onParseError = null;
  private readonly tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  private foreignDepth = 0;

  protected abstract startTag(token: Token.TagToken): void;
  protected abstract endTag(token: Token.TagToken): void;
  protected abstract comment(token: Token.CommentToken): void;
  protected abstract doctype(token: Token.DoctypeToken): void;
  protected abstract characters(token: Token.CharacterToken): void;

  read(html: string): void {
    for (let start = 0; start < html.length; start += PIECE)
      this.tokenizer.write(html.slice(start, start + PIECE), start + PIECE >= html.length);
  }

  onStartTag(token: Token.TagToken): void {
    this.startTag(token);
    if (FOREIGN.has(token.tagName) && !token.selfClosing) this.enterForeign(1);
    const content = this.contentOf(token);
    if (content !== undefined) this.tokenizer.state = content;
  }

  onEndTag(token: Token.TagToken): void {
    this.endTag(token);
    if (FOREIGN.has(token.tagName) && this.foreignDepth > 0) this.enterForeign(-1);
  }

  onComment(token: Token.CommentToken): void {
    this.comment(token);
  }

  onDoctype(token: Token.DoctypeToken): void {
    this.doctype(token);
  }

  onCharacter(token: Token.CharacterToken): void {
    this.characters(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.characters(token);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.characters(token);
  }

  onEof(): void {
    // An incomplete token at the end is dropped.
  }

  /** Whether the reader is inside SVG or MathML, where elements may be self-closing. */
  protected get isForeign(): boolean {
    return this.foreignDepth > 0;
  }

  /** Whether the content of the element is text, in which tags have no meaning. */
  protected holdsText(token: Token.TagToken): boolean {
    return this.contentOf(token) !== undefined;
  }

  private contentOf({ tagName }: Token.TagToken): Tokenizer['state'] | undefined {
    const isForeign = this.foreignDepth > 0 || FOREIGN.has(tagName);
    return isForeign ? undefined : TEXT_CONTENT.get(tagName);
  }

  private enterForeign(step: 1 | -1): void {
    this.foreignDepth += step;
    this.tokenizer.inForeignNode = this.foreignDepth > 0;
  }
}
