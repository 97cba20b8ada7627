import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** `count` requests as one text: a client that does not wait for answers. */
export const pipelined = (path: string, count: number): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count);

/** A connection whose client reads what comes, unless it is paused. */
export class PipeliningClient {
  received = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (this.received += text));
    socket.on('error', () => undefined); // reset by the service, as some are meant to be
    socket.on('close', () => (this.isClosed = true));
  }

  static async connect(url: string): Promise<PipeliningClient> {
    const client = new PipeliningClient(connect(Number(new URL(url).port), '127.0.0.1'));
    await once(client.socket, 'connect');
    return client;
  }

  /** Resolves when all of it has been handed to the system. */
  async write(text: string): Promise<void> {
    await new Promise((resolve) => this.socket.write(text, resolve));
  }

  /** The status codes of the answers so far, in their order. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}
