import type { Readable } from 'node:stream';

import {
  MESSAGES_PER_CONNECTION,
  RELAY_CONNECT_TIMEOUT_MS,
  RELAY_SILENCE_TIMEOUT_MS,
  RELAY_TRANSACTION_TIMEOUT_MS,
  SLOWEST_UPLOAD_BYTES_PER_SECOND,
} from '../../config/limits.js';
import { hasAsciiLocalPart } from '../../shared/email-address.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import { BoundedSmtpConnection } from './bounded-smtp-connection.js';
import { connectToRelay } from './connect-to-relay.js';
import { storableReply } from './describe-relay-error.js';
import { contentOf, type RawMail } from '../../mail/writing/mail-content.js';

const sizeOf = ({ raw, rest = [] }: RawMail): number => rest.reduce((sum, { length }) => sum + length, raw.length);

interface SmtpFailure extends Error {
  code?: string;
  responseCode?: number;
}

/**
 * The time limit for the login, for a transaction until the end of the content, and then for the reply. nodemailer
 * limits silence only: a relay that reads or responds byte by byte would hold a mail in memory for days.
 */
const TRANSACTION_TIMEOUT = { ms: RELAY_TRANSACTION_TIMEOUT_MS, bytesPerMs: SLOWEST_UPLOAD_BYTES_PER_SECOND / 1_000 };
/** In octets, enough for a long reply to EHLO. */
const MAX_RESPONSE_SIZE = 65_536;
const CONNECTION_ERRORS = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'];
const MESSAGE_ERRORS = ['EENVELOPE', 'EMESSAGE'];

/** The relay closed a connection that had been used before, and no byte of the message was sent. */
export class ConnectionLostError extends Error {}

/** Without SMTPUTF8 (RFC 6531), addresses with a non-ASCII local part must not be sent to the relay. */
export class SmtpUtf8MissingError extends Error {
  override name = 'SmtpUtf8MissingError';

  constructor() {
    super('The relay does not offer SMTPUTF8, which an address with non-ASCII characters before the @ needs');
  }
}

/** The relay announced that it does not accept mails of this size (RFC 1870 §6). */
export class MessageTooLargeError extends Error {
  override name = 'MessageTooLargeError';

  constructor(size: number, maxSize: number) {
    super(`The mail has ${size} bytes, and the relay accepts at most ${maxSize}`);
  }
}

/** The relay answers, but takes too long for the size of the mail. It may have accepted it all the same. */
export class RelayTooSlowError extends Error {
  override name = 'RelayTooSlowError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The SMTP relay takes too long for a mail of this size');
  }
}

/** The extensions that the relay announced in its reply to EHLO. */
interface Extensions {
  smtpUtf8: boolean;
  /** The maximum mail size in bytes; 0 if the relay announced no limit. */
  maxSize: number;
}

/** A connection to a relay, authenticated and ready for a message. */
export class RelayConnection {
  /** The duration of the last accepted message at the relay. */
  lastTransactionMs = Infinity;
  private submitted = 0;
  private isEnded = false;
  private idleTimer: NodeJS.Timeout | undefined;
  private onEnd: () => void = () => undefined;

  private constructor(
    private readonly smtp: BoundedSmtpConnection,
    private readonly extensions: Extensions,
    private readonly timeout: typeof TRANSACTION_TIMEOUT,
  ) {
    smtp.once('end', () => {
      this.isEnded = true;
      clearTimeout(this.idleTimer);
      this.onEnd();
    });
  }

  /** Opens the socket itself, so that the address that was checked is the one connected to. */
  static async open(relay: SmtpRelay, timeout = TRANSACTION_TIMEOUT): Promise<RelayConnection> {
    const { host, port, secure, username, password } = relay;
    const smtp = new BoundedSmtpConnection({
      ...{ host, port, secure },
      ...(await connectToRelay(relay, { timeoutMs: RELAY_CONNECT_TIMEOUT_MS })),
      connectionTimeout: RELAY_CONNECT_TIMEOUT_MS,
      greetingTimeout: RELAY_CONNECT_TIMEOUT_MS,
      socketTimeout: RELAY_SILENCE_TIMEOUT_MS,
      maxResponseSize: MAX_RESPONSE_SIZE,
    });
    const timer = setTimeout(() => {
      smtp.close();
    }, timeout.ms);
    try {
      await connect(smtp);
      const extensions = readExtensions(smtp.lastServerResponse || '');
      if (username !== null && smtp.allowsAuth) await logIn(smtp, { user: username, pass: password ?? '' });
      return new RelayConnection(smtp, extensions, timeout);
    } catch (error) {
      smtp.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether another message can be sent. */
  get isUsable(): boolean {
    return !this.isEnded && this.submitted < MESSAGES_PER_CONNECTION;
  }

  /** Closes the connection with QUIT after that time unless it is used before. */
  closeWhenIdleFor(ms: number): void {
    this.idleTimer = setTimeout(() => {
      this.isEnded = true; // no message after QUIT
      this.smtp.quit();
    }, ms).unref();
  }

  close(): void {
    clearTimeout(this.idleTimer);
    this.isEnded = true;
    this.smtp.close();
  }

  /**
   * Returns the relay's reply. The check runs immediately before MAIL FROM, and again before the content. Throws
   * SmtpUtf8MissingError or MessageTooLargeError before sending what the relay cannot process.
   */
  async submit(mail: RawMail, check?: SubmissionCheck): Promise<string> {
    clearTimeout(this.idleTimer);
    const { smtpUtf8, maxSize } = this.extensions;
    if (!smtpUtf8 && !(hasAsciiLocalPart(mail.from) && hasAsciiLocalPart(mail.to))) throw new SmtpUtf8MissingError();
    const size = sizeOf(mail);
    if (maxSize > 0 && size > maxSize) throw new MessageTooLargeError(size, maxSize);
    if (check && !check.isConfirmed()) await check.confirm();
    this.smtp.expectReplies();
    const isFirst = this.submitted === 0;
    this.submitted += 1;
    const content = contentOf(mail, check);
    try {
      const startedAt = performance.now();
      const reply = await this.send(mail, content);
      this.lastTransactionMs = performance.now() - startedAt;
      return reply;
    } catch (error) {
      if (!isFirst && !content.readableDidRead && isConnectionError(error as SmtpFailure)) {
        this.close();
        throw new ConnectionLostError('The relay has closed the connection', { cause: error });
      }
      await this.recoverFrom(error as SmtpFailure);
      throw error;
    }
  }

  private send(mail: RawMail, content: Readable): Promise<string> {
    const { from, to, is8Bit = false } = mail;
    const size = sizeOf(mail);
    return new Promise((resolve, reject) => {
      const endTooSlow = () => {
        reject(new RelayTooSlowError());
      };
      let timer = setTimeout(endTooSlow, this.timeout.ms + size / this.timeout.bytesPerMs);
      content.once('end', () => {
        clearTimeout(timer);
        timer = setTimeout(endTooSlow, this.timeout.ms);
      });
      this.smtp.send({ from, to: [to], size, use8BitMime: is8Bit }, content, (error, info) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(storableReply(info.response));
      });
    });
  }

  /** After a refused message the connection can be reused; after any other error it cannot. */
  private async recoverFrom({ code = '', responseCode }: SmtpFailure): Promise<void> {
    if (this.isEnded || responseCode === 421 || !MESSAGE_ERRORS.includes(code)) {
      this.close();
      return;
    }
    await new Promise<void>((resolve) => {
      this.onEnd = resolve; // the connection may end instead
      this.smtp.reset((error) => {
        if (error) this.close();
        resolve();
      });
    });
  }
}

const isConnectionError = ({ code = '', responseCode }: SmtpFailure): boolean =>
  responseCode === 421 || CONNECTION_ERRORS.includes(code);

const readExtensions = (reply: string): Extensions => ({
  smtpUtf8: /^250[ -]SMTPUTF8\b/im.test(reply),
  maxSize: Number(/^250[ -]SIZE[ \t]+(\d+)/im.exec(reply)?.[1] ?? 0),
});

const connect = (smtp: BoundedSmtpConnection): Promise<void> =>
  new Promise((resolve, reject) => {
    smtp.on('error', reject); // stays, because a later error without a listener would end the process
    smtp.once('end', () => {
      reject(Object.assign(new Error('The relay has closed the connection'), { code: 'ECONNECTION', command: 'CONN' }));
    });
    smtp.connect((error?: Error | null) => {
      if (error) reject(error);
      else resolve();
    });
  });

const logIn = (smtp: BoundedSmtpConnection, credentials: { user: string; pass: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    smtp.once('error', reject);
    smtp.once('end', () => {
      reject(Object.assign(new Error('The relay has closed the connection'), { code: 'ECONNECTION', command: 'AUTH' }));
    });
    smtp.login({ user: credentials.user, credentials }, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
