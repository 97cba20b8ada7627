import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { waitFor } from './wait-for.js';

export interface SmtpReply {
  code: number;
  /** All lines, without the code. */
  text: string;
}

interface Options {
  /** To connect from: 127.0.0.1 unless given. */
  localAddress?: string;
  /** TLS from the beginning. */
  secure?: ConnectionOptions;
}

/** A client that sends exactly what a test tells it to. */
export class SmtpClient {
  private buffered = '';
  isClosed = false;

  private constructor(private socket: Socket | TLSSocket) {
    this.listen();
  }

  /** Does not read the greeting. */
  static async open(port: number, { localAddress, secure }: Options = {}): Promise<SmtpClient> {
    const target = { port, host: '127.0.0.1', ...(localAddress && { localAddress }) };
    const socket = secure ? connectTls({ ...target, rejectUnauthorized: false, ...secure }) : connect(target);
    socket.setNoDelay(true);
    const client = new SmtpClient(socket);
    await once(socket, secure ? 'secureConnect' : 'connect');
    return client;
  }

  /** Greeted, and authenticated with the key. */
  static async login(port: number, secret: string, options?: Options): Promise<SmtpClient> {
    const client = await SmtpClient.open(port, options);
    await client.reply();
    await client.expect(250, 'EHLO client.example');
    await client.expect(235, `AUTH PLAIN ${plain(secret)}`);
    return client;
  }

  write(data: string | Buffer): void {
    this.socket.write(data);
  }

  /** What the server replies from now on is lost. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Resolves once the bytes have left, so that a test can send more than fits into memory. */
  async push(data: Buffer): Promise<void> {
    if (this.isClosed || this.socket.write(data)) return;
    await waitFor('the bytes to leave', () => this.isClosed || !this.socket.writableNeedDrain);
  }

  async send(line: string): Promise<SmtpReply> {
    this.write(`${line}\r\n`);
    return this.reply();
  }

  /** Sends the line, and fails unless the reply has that code. */
  async expect(code: number, line: string): Promise<SmtpReply> {
    const reply = await this.send(line);
    if (reply.code !== code) throw new Error(`${line}: ${reply.code} ${reply.text}`);
    return reply;
  }

  /** The next reply. */
  reply(): Promise<SmtpReply> {
    return waitFor('a reply', () => {
      const found = /^(?:\d{3}-.*\r\n)*(\d{3})(?: .*)?\r\n/.exec(this.buffered);
      if (!found) {
        if (this.isClosed) throw new Error('The connection was closed without a reply');
        return undefined;
      }
      this.buffered = this.buffered.slice(found[0].length);
      const lines = found[0].trimEnd().split('\r\n');
      return { code: Number(found[1]), text: lines.map((line) => line.slice(4)).join('\n') };
    });
  }

  /** The reply to a mail, envelope included. `mail` is what follows DATA, without the end of it. */
  async submit(from: string, to: readonly string[], mail: string | Buffer): Promise<SmtpReply> {
    await this.expect(250, `MAIL FROM:<${from}>`);
    for (const address of to) await this.expect(250, `RCPT TO:<${address}>`);
    await this.expect(354, 'DATA');
    await this.push(Buffer.from(mail));
    this.write('\r\n.\r\n');
    return this.reply();
  }

  /** After the reply to STARTTLS. */
  async upgrade(options: ConnectionOptions = {}): Promise<void> {
    this.socket.removeAllListeners();
    this.socket = connectTls({ socket: this.socket, rejectUnauthorized: false, ...options });
    this.listen();
    await once(this.socket, 'secureConnect');
  }

  get certificate(): string {
    return (this.socket as TLSSocket).getPeerCertificate().subject.CN?.toString() ?? '';
  }

  get protocol(): string | null {
    return (this.socket as TLSSocket).getProtocol();
  }

  /** What was received and not read yet. */
  get unread(): string {
    return this.buffered;
  }

  untilClosed(): Promise<true> {
    return waitFor('the connection to be closed', () => this.isClosed);
  }

  close(): void {
    this.socket.destroy();
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => (this.buffered += chunk.toString()));
    this.socket.on('error', () => undefined); // being cut off is what some tests are about
    this.socket.on('end', () => (this.isClosed = true));
    this.socket.on('close', () => (this.isClosed = true));
  }
}

/** The argument of AUTH PLAIN. */
export const plain = (secret: string): string => Buffer.from(`\0anybody\0${secret}`).toString('base64');
