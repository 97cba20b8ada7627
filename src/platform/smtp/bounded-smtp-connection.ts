import SMTPConnection from 'nodemailer/lib/smtp-connection';

import { MAX_ANSWER_BYTES } from '../../config/limits.js';

const EMPTY_LINES = /(?<=\n)\s*\n/g;
const EMPTY_LINES_AT_START = /^\s*\n/;

interface Internals {
  _onData(chunk: Buffer): void;
  _onResponseTooLarge(): void;
}

const internals = SMTPConnection.prototype as unknown as Internals;

/**
 * A connection to a relay that may send anything. nodemailer limits the size of each reply, but keeps any number of
 * empty lines until it has skipped them, one in each turn of the event loop: a relay that sends nothing else fills the
 * memory within seconds. `_onData` is private; test/e2e/security/relay-replies shows that it gets all that the relay
 * sends (nodemailer 10.6.0).
 */
export class BoundedSmtpConnection extends SMTPConnection {
  private received = 0;
  private isAtLineStart = true;

  /** Call it before the commands of a message: the replies to earlier ones do not count any more. */
  expectReplies(): void {
    this.received = 0;
  }

  _onData(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_ANSWER_BYTES) {
      internals._onResponseTooLarge.call(this);
      return;
    }
    const lines = chunk.toString('latin1').replace(EMPTY_LINES, '');
    const rest = this.isAtLineStart ? lines.replace(EMPTY_LINES_AT_START, '') : lines;
    if (rest !== '') this.isAtLineStart = rest.endsWith('\n');
    internals._onData.call(this, Buffer.from(rest, 'latin1'));
  }
}
