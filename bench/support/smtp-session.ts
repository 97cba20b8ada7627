import type { Socket } from 'node:net';

import { SENDER } from './environment.js';

/** A client that sends one command at a time, as most libraries do. */
export class SmtpSession {
  private waiting: ((code: number) => void) | undefined;

  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const last = /(?:^|\n)(\d{3}) [^\n]*\n$/.exec(received);
      if (!last) return;
      received = '';
      this.waiting?.(Number(last[1]));
    });
  }

  reply(): Promise<number> {
    return new Promise((resolve) => (this.waiting = resolve));
  }

  async send(code: number, text: string): Promise<void> {
    const reply = this.reply();
    this.socket.write(text);
    const given = await reply;
    if (given !== code) throw new Error(`${text.slice(0, 40)}: ${given}`);
  }

  async logIn(secret: string): Promise<void> {
    await this.reply();
    await this.send(250, 'EHLO bench.example\r\n');
    await this.send(235, `AUTH PLAIN ${Buffer.from(`\0bench\0${secret}`).toString('base64')}\r\n`);
  }

  async submit(to: string, mail: string): Promise<void> {
    await this.send(250, `MAIL FROM:<${SENDER}>\r\n`);
    await this.send(250, `RCPT TO:<${to}>\r\n`);
    await this.send(354, 'DATA\r\n');
    await this.send(250, mail);
  }
}
