import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection';

import { MAX_ENVELOPE_RECIPIENTS, SMTP_IDLE_TIMEOUT_MS, SMTP_LOGIN_TIMEOUT_MS } from '../../../config/limits.js';
import type { KeyPair } from './tls-files.js';

const SENDER = /^(MAIL FROM: *)<[^<>]*>/i;
const PATH = /^[^:]*:\s*<([^<>]*)>/;
/** The part of a path that names relays on the way (RFC 5321 appendix C). */
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
/** Parameters of the announced extensions, and AUTH, which a server with authentication has to accept (RFC 4954 §5). */
const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'AUTH'];
const NO_PARAMETERS: readonly string[] = [];
const STARTTLS_FIRST = 'Must issue a STARTTLS command first';

type Handlers = Required<Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'>>;

interface ServerOptions extends Handlers {
  hostname: string;
  /** In bytes. */
  maxSize: number;
  /** Whether its connections are encrypted from the beginning. */
  isSecure: boolean;
  keyPair: KeyPair | null;
  allowsPlaintextAuth: boolean;
  /** The reply to DATA under overload; undefined otherwise. */
  refuseData: () => string | undefined;
}

/** The protocol. It does not listen: whoever accepts connections passes them to it. */
export class SubmissionServer extends SMTPServer {
  private readonly bySession = new WeakMap<SMTPServerSession, SMTPConnection>();

  constructor(private readonly submission: ServerOptions) {
    const { hostname, maxSize, isSecure, keyPair, allowsPlaintextAuth, onAuth, onMailFrom, onRcptTo, onData } =
      submission;
    super({
      ...{ onAuth, onMailFrom, onRcptTo, onData },
      name: hostname,
      size: maxSize,
      secure: isSecure,
      ...keyPair,
      minVersion: 'TLSv1.2',
      allowInsecureAuth: allowsPlaintextAuth,
      authMethods: ['PLAIN', 'LOGIN'],
      authRequiredMessage: 'Authentication required',
      disabledCommands: ['XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(keyPair ? [] : ['STARTTLS'])],
      maxRecipients: MAX_ENVELOPE_RECIPIENTS,
      socketTimeout: SMTP_IDLE_TIMEOUT_MS,
      disableReverseLookup: true,
      hideDSN: true,
      hideREQUIRETLS: true,
      heloResponse: '%s',
      logger: false,
    });
    this.on('error', () => undefined); // of a connection, which ends
  }

  override connect(socket: Socket | TLSSocket, options?: { remoteAddress?: string }): void {
    const connection = new SubmissionConnection(this, socket, this.submission, options?.remoteAddress);
    this.bySession.set(connection.session, connection);
    this.connections.add(connection);
    connection.on('error', () => undefined);
    connection.init();
  }

  /** The connection of a session. */
  connectionOf(session: SMTPServerSession): SMTPConnection | undefined {
    return this.bySession.get(session);
  }
}

type ParsedAddress = Exclude<ReturnType<SMTPConnection['_parseAddressCommand']>, false>;

const unknownParameter = (parsed: ParsedAddress | false, known: readonly string[]): string | undefined =>
  Object.keys((parsed && parsed.args) || {}).find((name) => !known.includes(name));

/** Replies by the contract of the service, where it differs from the library. */
class SubmissionConnection extends SMTPConnection {
  constructor(
    server: SubmissionServer,
    socket: Socket | TLSSocket,
    private readonly options: ServerOptions,
    remoteAddress?: string,
  ) {
    super(server, socket, remoteAddress === undefined ? {} : { remoteAddress });
    const timer = setTimeout(() => {
      if (!this.session.user) this.send(421, 'Timeout - closing connection');
    }, SMTP_LOGIN_TIMEOUT_MS).unref();
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }

  /** AUTH is offered only where it is allowed: a client might send its key in plaintext otherwise. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const isOffer = Array.isArray(data) && !this.mayAuthenticate;
    super.send(code, isOffer ? data.filter((line) => !line.startsWith('AUTH ')) : data, context);
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (this.mayAuthenticate) super.handler_AUTH(command, callback);
    else this.refuse(530, STARTTLS_FIRST, callback);
  }

  /** The sender of the envelope is not used, and hosts without a domain send one like `<root>`. */
  override handler_MAIL(command: Buffer, callback: () => void): void {
    const withoutSender = Buffer.from(command.toString('latin1').replace(SENDER, '$1<>'), 'latin1');
    const parsed = this._parseAddressCommand('mail from', withoutSender);
    const unknown = unknownParameter(parsed, MAIL_PARAMETERS);
    if (unknown === undefined) super.handler_MAIL(withoutSender, callback);
    else this.refuseParameter(unknown, callback);
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    const parsed = this._parseAddressCommand('rcpt to', command);
    const unknown = unknownParameter(parsed, NO_PARAMETERS);
    if (!parsed || parsed.address === '') this.refuse(553, '5.1.3 The address is not valid', callback);
    else if (unknown !== undefined) this.refuseParameter(unknown, callback);
    else super.handler_RCPT(command, callback);
  }

  /** The address as given; the library converts Punycode. */
  override _parseAddressCommand(name: string, command: Buffer | string): ParsedAddress | false {
    const parsed = super._parseAddressCommand(name, command);
    const given = PATH.exec(command.toString())?.[1];
    return parsed && given !== undefined ? { ...parsed, address: given.replace(SOURCE_ROUTE, '') } : parsed;
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    const refusal = this.options.refuseData();
    if (refusal === undefined) super.handler_DATA(command, callback);
    else this.refuse(421, refusal, callback);
  }

  private get mayAuthenticate(): boolean {
    return this.secure || this.options.allowsPlaintextAuth;
  }

  /** RFC 5321 §4.1.1.11. Ignoring a parameter such as REQUIRETLS would break a promise. */
  private refuseParameter(name: string, callback: () => void): void {
    this.refuse(555, `The parameter ${name} is not known`, callback);
  }

  private refuse(code: number, text: string, callback: () => void): void {
    this.send(code, text);
    callback();
  }
}
