/** A reply of SMTP that refuses a command or a mail. The text may begin with an enhanced status code (RFC 3463). */
export class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

export const notMime = (why: string): Refusal => new Refusal(554, `The mail is not valid MIME: ${why}`);
