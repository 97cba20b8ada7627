/** An SMTP reply that refuses a command or a mail. The text may begin with an enhanced status code (RFC 3463). */
export class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** The refusal of RFC 6531 §3.5. */
export const needsSmtpUtf8 = (what: string): Refusal =>
  new Refusal(554, `5.6.7 The mail has non-ASCII characters before the @ in ${what}`);

export const notMime = (why: string): Refusal => new Refusal(554, `The mail is not valid MIME: ${why}`);
