import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface CaughtMail {
  number: number;
  receivedAt: Date;
  envelopeTo: string[];
  raw: string;
  parsed: ParsedMail;
}

export const KEPT_MAILS = 200;

/** An SMTP server on loopback that keeps what it receives and delivers nothing. */
export class Inbox {
  /** The caught mails, newest last. */
  readonly mails: CaughtMail[] = [];
  /** The port on 127.0.0.1; 0 before the server listens. */
  port = 0;
  private readonly events = new EventEmitter();
  private received = 0;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const envelopeTo = session.envelope.rcptTo.map(({ address }) => address);
      text(stream)
        .then((raw) => this.keep(raw, envelopeTo))
        .then(() => {
          done();
        }, done);
    },
  });

  async listen(): Promise<void> {
    const listening = this.server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    this.port = (listening.address() as AddressInfo).port;
  }

  onMail(listener: (mail: CaughtMail) => void): void {
    this.events.on('mail', listener);
  }

  /** Resolves to the first mail that matches, received already or later. Throws after the timeout. */
  async waitFor(matches: (mail: CaughtMail) => boolean, timeoutMs: number): Promise<CaughtMail> {
    const expiry = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const found = this.mails.find(matches);
      if (found) return found;
      await once(this.events, 'mail', { signal: expiry });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async keep(raw: string, envelopeTo: string[]): Promise<void> {
    const parsed = await simpleParser(raw);
    const mail = { number: ++this.received, receivedAt: new Date(), envelopeTo, raw, parsed };
    this.mails.push(mail);
    if (this.mails.length > KEPT_MAILS) this.mails.shift();
    this.events.emit('mail', mail);
  }
}
