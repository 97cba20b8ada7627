import { createRequire } from 'node:module';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

const require = createRequire(import.meta.url);

/** Answers every command, and keeps the content after DATA. */
function answer(socket: Socket, kept: string[]): void {
  let isContent = false;
  socket.write('220 ready\r\n');
  socket.on('data', (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    if (isContent) kept.push(text);
    if (isContent && !text.endsWith('\r\n.\r\n')) return;
    const isData = text === 'DATA\r\n';
    isContent = isData;
    socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
  });
  socket.on('error', () => undefined);
}

/** Undocumented behaviour of nodemailer that the service relies on. After an update, check each, then the version. */
describe('nodemailer', () => {
  const { version } = require('nodemailer/package.json') as { version: string };
  let server: Server;
  let kept: string[];

  beforeEach(async () => {
    kept = [];
    server = createServer((socket) => {
      answer(socket, kept);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    server.close();
  });

  it('is the version that was checked', () => {
    expect(version).toBe('10.6.0');
  });

  it('sends what is pushed to the stream of a content as it is, in one piece, and nothing after it', async () => {
    const smtp = new SMTPConnection({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    smtp.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      smtp.connect(() => {
        resolve();
      });
    });
    const content = {
      pipe: (stream: Duplex) => {
        stream.push(Buffer.from('bare\nline\r\n.x\r\n.\r\n'));
        stream.push(null);
      },
    } as unknown as Readable;
    await new Promise<void>((resolve, reject) => {
      smtp.send({ from: 'a@example.com', to: ['b@example.org'] }, content, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    smtp.close();
    expect(kept).toEqual(['bare\nline\r\n.x\r\n.\r\n']);
  });
});
