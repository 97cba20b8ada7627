const [NUL, LF, CR] = [0x00, 0x0a, 0x0d];

/**
 * Checks the lines of a mail while it arrives. Servers disagree on a CR or LF alone, and some take `<LF>.<LF>` and the
 * like for the end of a mail, so that the rest of it would become commands (SMTP smuggling).
 */
export class LineScanner {
  longestLineBytes = 0;
  private lineLength = 0;
  private last = LF;
  private returns = 0;
  private lineEnds = 0;
  private hasBareLf = false;
  private hasNul = false;

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.hasNul ||= chunk.includes(NUL);
    for (let at = chunk.indexOf(CR); at >= 0; at = chunk.indexOf(CR, at + 1)) this.returns += 1;
    let start = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      if ((at > 0 ? chunk[at - 1] : this.last) === CR) this.lineEnds += 1;
      else this.hasBareLf = true;
      this.longestLineBytes = Math.max(this.longestLineBytes, this.lineLength + at - start - 1);
      this.lineLength = 0;
      start = at + 1;
    }
    this.lineLength += chunk.length - start;
    this.longestLineBytes = Math.max(this.longestLineBytes, this.lineLength - 1);
    this.last = chunk.at(-1) ?? this.last;
  }

  /** The fault of the mail, which has ended; undefined if there is none. */
  get fault(): string | undefined {
    if (this.hasBareLf || this.returns !== this.lineEnds) return 'its lines must end in CRLF';
    return this.hasNul ? 'it has a NUL character' : undefined;
  }
}
