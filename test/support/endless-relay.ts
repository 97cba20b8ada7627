import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { waitFor } from './wait-for.js';

type Stage = 'connect' | 'rcpt' | 'data';

const CHUNK_BYTES = 65_536;

/** A relay that answers at one stage with the same line for ever, as fast as it is read. */
export class EndlessRelay {
  /** More than what is read before the limit and what the buffers of the sockets hold. */
  static readonly BUFFERED_BYTES = 33_554_432;

  endless: { stage: Stage; line: string } = { stage: 'connect', line: '' };
  /** Over one connection. */
  mostSent = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined); // the client is expected to close the connection
      socket.once('close', () => {
        this.mostSent = Math.max(this.mostSent, socket.bytesWritten);
        this.sockets.delete(socket);
      });
      this.talk(socket);
    });
  }

  static async start(): Promise<EndlessRelay> {
    const relay = new EndlessRelay(createServer());
    await once(relay.server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resolves when the client has closed all connections. */
  async closed(): Promise<void> {
    await waitFor('the connections to be closed', () => this.sockets.size === 0);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    if (this.endless.stage === 'connect') {
      this.flood(socket);
      return;
    }
    socket.on('data', (command) => {
      const [verb = ''] = /^[A-Z]+/i.exec(command.toString()) ?? [];
      if (verb.toLowerCase() === this.endless.stage.slice(0, 4)) this.flood(socket);
      else socket.write('250 OK\r\n');
    });
    socket.write('220 relay ESMTP\r\n');
  }

  private flood(socket: Socket): void {
    const { line } = this.endless;
    const chunk = Buffer.alloc(CHUNK_BYTES - (CHUNK_BYTES % line.length), line);
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', fill);
    fill();
  }
}
