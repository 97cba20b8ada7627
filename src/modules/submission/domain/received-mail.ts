/** A mail as it came: all lines end in CRLF, and there is no NUL. */
export interface ReceivedMail {
  bytes: Buffer;
  /** Without its line end. */
  longestLineBytes: number;
}
