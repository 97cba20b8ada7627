export class MessageSourceResponse {
  /** False if the content was purged; then `source` is null. */
  isKept!: boolean;

  /** Headers and body (RFC 5322), with CRLF line ends. */
  source!: string | null;

  static from(source: string | null): MessageSourceResponse {
    return { isKept: source !== null, source };
  }
}
