import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A fixed address on this machine for a server that comes, goes and changes its port. */
export class TcpProxy {
  /** Where connections go; null: each is cut at once, as by a machine that runs but not its server. */
  target: number | null = null;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      this.keep(socket);
      if (this.target === null) socket.resetAndDestroy();
      else join(socket, this.keep(connect(this.target, '127.0.0.1')));
    });
  }

  static async start(): Promise<TcpProxy> {
    const proxy = new TcpProxy();
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends the connections that stand. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // a cut connection is what tests want
    return socket.on('close', () => this.sockets.delete(socket));
  }
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}
