import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { hasContent, type ReceivedCopy } from '../evidence/copies.js';
import { pendingInput } from './pending-input.js';

/** Undefined accepts the mail; `drop` accepts it and closes the connection without a reply. */
export type RelayAnswer = undefined | { code: number; message: string } | 'drop';

export type WorkerAt = (port: number) => Promise<ReceivedCopy['worker']>;

export interface ReceivedMail extends ReceivedCopy {
  sender: string;
  messageId: string;
}

/** A relay closes the connection after this reply. */
const CLOSING = 421;
const END_OF_MAIL = '\r\n.\r\n';
const MESSAGE_ID = /^message-id: *<([^@>]+)@/im;

/** An SMTP relay that keeps no bodies. Faults determine its replies. */
export class Relay {
  /** Called at MAIL FROM, and after the content. */
  answer: (phase: 'mail' | 'data') => RelayAnswer | Promise<RelayAnswer> = () => undefined;
  /** Finds the worker of a connection by its remote port. */
  workerAt: WorkerAt = () => Promise.resolve(null);
  /** The delay of the reply after the content. */
  delayMs = 0;
  /** Called for every accepted mail when the reply is sent. */
  onMail: (mail: ReceivedMail) => void = () => undefined;

  /** Called instead for mails to people who are erased. */
  onPersonMail: (mail: ReceivedMail) => void = () => undefined;

  private isOffline = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer({ noDelay: true }, (socket) => {
      if (this.isOffline) {
        socket.resetAndDestroy();
        return;
      }
      this.sockets.add(socket);
      socket.on('error', () => undefined); // the run cuts connections on purpose
      socket.on('close', () => this.sockets.delete(socket));
      new SmtpSession(socket, this).begin();
    });
  }

  static async start(): Promise<Relay> {
    const relay = new Relay();
    await once(relay.server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes all connections, and refuses new ones until `goOnline`. */
  goOffline(): void {
    this.isOffline = true;
    for (const socket of this.sockets) socket.destroy();
  }

  goOnline(): void {
    this.isOffline = false;
  }

  async stop(): Promise<void> {
    this.goOffline();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One connection. Without pipelining, the client sends one command at a time. */
class SmtpSession {
  private input = '';
  private isReadingMail = false;
  private sender = '';
  private recipient = '';
  private startedAt = 0;
  private readonly worker: ReturnType<WorkerAt>;

  constructor(
    private readonly socket: Socket,
    private readonly relay: Relay,
  ) {
    this.worker = relay.workerAt(socket.remotePort ?? 0);
  }

  begin(): void {
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.input += chunk;
      if (this.isReadingMail) this.readMail();
      else this.readCommands();
    });
    this.reply('220 relay ESMTP');
  }

  private readCommands(): void {
    for (let end = this.input.indexOf('\r\n'); end !== -1 && !this.isReadingMail; end = this.input.indexOf('\r\n')) {
      const line = this.input.slice(0, end);
      this.input = this.input.slice(end + 2);
      this.run(line);
    }
  }

  private run(line: string): void {
    const [verb = ''] = line.split(' ', 1);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (verb.toUpperCase()) {
      case 'EHLO':
        this.reply('250-relay\r\n250 8BITMIME');
        break;
      case 'MAIL':
        this.startedAt = Date.now();
        this.sender = address;
        void this.answer('mail', () => undefined);
        break;
      case 'RCPT':
        this.recipient = address;
        this.reply('250 2.1.5 ok');
        break;
      case 'DATA':
        this.isReadingMail = true;
        this.reply('354 go on');
        break;
      case 'QUIT':
        this.socket.end('221 2.0.0 bye\r\n');
        break;
      default:
        this.reply('250 2.0.0 ok');
    }
  }

  private readMail(): void {
    const end = this.input.indexOf(END_OF_MAIL);
    if (end === -1) return;
    const mail = this.input.slice(0, end);
    const content = { messageId: MESSAGE_ID.exec(mail)?.[1] ?? '', hasContent: hasContent(mail) };
    this.input = this.input.slice(end + END_OF_MAIL.length);
    this.isReadingMail = false;
    const { sender, recipient, startedAt: from } = this;
    void this.answer('data', (isAnswerLost, worker) => {
      this.relay.onMail({ sender, recipient, ...content, from, to: Date.now(), isAnswerLost, worker });
    });
  }

  private async answer(
    phase: 'mail' | 'data',
    onAccepted: (isAnswerLost: boolean, worker: ReceivedCopy['worker']) => void,
  ): Promise<void> {
    if (phase === 'data' && this.relay.delayMs > 0) await pause(this.relay.delayMs);
    const answer = await this.relay.answer(phase);
    if (typeof answer === 'object') {
      this.reply(`${answer.code} ${answer.message}`);
      if (answer.code === CLOSING) this.socket.end();
      return;
    }
    const worker = await this.worker;
    await pendingInput();
    onAccepted(answer === 'drop' || this.socket.destroyed || this.socket.readableEnded, worker);
    if (answer === 'drop') this.socket.destroy();
    else this.reply('250 2.0.0 ok');
  }

  private reply(text: string): void {
    if (!this.socket.destroyed) this.socket.write(`${text}\r\n`);
  }
}
