/** A mail as it goes over the wire, for one recipient. */
export interface RawMail {
  /** The envelope's addresses, domains in punycode. */
  from: string;
  to: string;
  /** Without angle brackets. */
  messageId: string;
  /** Headers and body. */
  raw: Buffer;
}
