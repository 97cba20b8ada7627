import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/**
 * `connect` is for a new connection only: the service keeps its own open. `data` is asked once the whole mail is in.
 */
export type SmtpStage = 'connect' | 'mail' | 'rcpt' | 'data';

/** Undefined accepts; `drop` cuts the connection instead of answering; `hang` never answers. */
export type SmtpAnswer = undefined | { code: number; message: string } | 'drop' | 'hang';

/** Accepts after this time, as a slow relay does. */
export const acceptedAfter = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined));

export interface ReceivedMail {
  /** Domains in Unicode, whatever came over the wire. */
  envelope: { from: string; to: string[] };
  /** Whether MAIL asked for SMTPUTF8. */
  smtpUtf8: boolean;
  /** Headers and bodies as they came. */
  raw: string;
  parsed: ParsedMail;
}

interface SmtpSinkOptions {
  /** Without it no AUTH is offered. */
  credentials?: { username: string; password: string };
  /** To listen on instead of 127.0.0.1. */
  host?: string;
  /** Offers STARTTLS, with a certificate that nobody trusts. */
  startTls?: boolean;
  /** True unless given. */
  offersSmtpUtf8?: boolean;
  /** Announced as SIZE, in bytes. */
  maxSize?: number;
}

/** A relay in this process that keeps what it is sent and responds as a test configures it. */
export class SmtpSink {
  /** Asked at every stage; `address` is the one that MAIL or RCPT names. */
  answer: (stage: SmtpStage, session: SMTPServerSession, address: string) => SmtpAnswer | Promise<SmtpAnswer> = () =>
    undefined;

  readonly host: string;
  /** User names as they came, with right and wrong passwords. */
  readonly logins: string[] = [];
  /** TCP connections since the last reset. */
  connections = 0;
  private readonly mails: ReceivedMail[] = [];
  private readonly sockets = new Map<number, Socket>();
  private readonly server: SMTPServer;

  private constructor(options: SmtpSinkOptions) {
    const { credentials, host = '127.0.0.1', startTls = false, offersSmtpUtf8 = true, maxSize } = options;
    this.host = host;
    this.server = new SMTPServer({
      disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(credentials ? [] : ['AUTH'])],
      hideSMTPUTF8: !offersSmtpUtf8,
      ...(maxSize === undefined ? {} : { size: maxSize }),
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, reply) => {
        this.logins.push(username ?? '');
        const known = username === credentials?.username && password === credentials?.password;
        if (known) reply(null, { user: username });
        else reply(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
      },
      onConnect: (session, reply) => void this.reply('connect', session, '', reply),
      onMailFrom: ({ address }, session, reply) => void this.reply('mail', session, address, reply),
      onRcptTo: ({ address }, session, reply) => void this.reply('rcpt', session, address, reply),
      onData: (stream, session, reply) => void this.take(stream, session, reply),
    });
    this.server.on('error', () => undefined); // a client that hangs up is the client's affair
    this.server.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.set(socket.remotePort!, socket);
    });
  }

  static async start(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
    const sink = new SmtpSink(options);
    await once(sink.server.listen(0, sink.host), 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** For SMTP_URL. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Oldest first: every mail that came in whole, unless it was refused; so with a `drop` or `hang` after it, too. */
  received(): readonly ReceivedMail[] {
    return this.mails;
  }

  /** Forgets what was received and accepts everything again. */
  reset(): void {
    this.mails.length = 0;
    this.logins.length = 0;
    this.connections = 0;
    this.answer = () => undefined;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }

  private async take(stream: NodeJS.ReadableStream, session: SMTPServerSession, reply: Reply): Promise<void> {
    const raw = await buffer(stream).catch(() => undefined);
    if (!raw) return; // the client hung up before the end of the mail
    const { mailFrom, rcptTo, smtpUtf8 = false } = session.envelope;
    const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
    const mail = { envelope, smtpUtf8, raw: raw.toString(), parsed: await simpleParser(raw) };
    await this.reply('data', session, '', reply, () => this.mails.push(mail));
  }

  private async reply(
    stage: SmtpStage,
    session: SMTPServerSession,
    address: string,
    reply: Reply,
    keep?: () => void,
  ): Promise<void> {
    const answer = await this.answer(stage, session, address);
    if (typeof answer === 'object') {
      reply(Object.assign(new Error(answer.message), { responseCode: answer.code }));
      return;
    }
    keep?.();
    if (answer === 'drop') this.sockets.get(session.remotePort)?.destroy();
    if (answer === undefined) reply();
  }
}

type Reply = (error?: Error | null) => void;
