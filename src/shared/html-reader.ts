import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Token, Tokenizer, type TokenHandler, TokenizerMode } from 'parse5';

/** Characters that are read in one turn of the event loop: some milliseconds at most, whatever they say. */
const SLICE = 32_768;

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
 * Reads the tokens of a document and builds no tree, because trees of malformed HTML can take time that grows with the
 * square of its length. A long document is read in slices, between which the event loop gets its turn.
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

  async read(html: string): Promise<void> {
    for (let start = 0; start < html.length; start += SLICE) {
      if (start > 0) await nextTurn();
      this.tokenizer.write(html.slice(start, start + SLICE), start + SLICE >= html.length);
    }
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
    // what is broken off before it has made no token
  }

  /** Inside of SVG or MathML, where an element may close itself. */
  protected get isForeign(): boolean {
    return this.foreignDepth > 0;
  }

  /** Whether the element holds text in which tags mean nothing. */
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
