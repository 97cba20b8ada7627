/** A composed mail for one recipient. */
export interface RawMail {
  /** The envelope addresses, with domains in punycode. */
  from: string;
  to: string;
  /** Without angle brackets. */
  messageId: string;
  /** Header and body as sent to the relay. */
  raw: Buffer;
}
