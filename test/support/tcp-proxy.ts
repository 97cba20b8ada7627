import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A fixed address on this machine for a server that comes, goes and changes its port. */
export class TcpProxy {
  /** The target of connections; null: each is closed at once, as if the server process did not run. */
  target: number | null = null;
  private readonly sockets = new Set<Socket>();
  private readonly pairs = new Set<[Socket, Socket]>();
  private isSilent = false;
  private cuts = { at: '', left: 0 };
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      this.keep(socket);
      if (this.target === null) socket.resetAndDestroy();
      else this.join(socket, this.keep(connect(this.target, '127.0.0.1')));
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

  /** Keeps connections open and accepts new ones, but forwards nothing, as if packets were lost. */
  beSilent(): void {
    this.isSilent = true;
    for (const [one, other] of this.pairs) {
      one.unpipe(other);
      other.unpipe(one);
    }
  }

  /** Forwards what was held back. */
  speak(): void {
    this.isSilent = false;
    for (const [one, other] of this.pairs) one.pipe(other).pipe(one);
  }

  /** Closes all connections when one that opens from now on sends this text, which is not forwarded; so many times. */
  cutAt(text: string, times: number): void {
    this.cuts = { at: text, left: times };
  }

  get cutsLeft(): number {
    return this.cuts.left;
  }

  /** Closes the open connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private join(one: Socket, other: Socket): void {
    const pair: [Socket, Socket] = [one, other];
    this.pairs.add(pair);
    if (this.cuts.left > 0) one.on('data', this.cutIfDue);
    if (!this.isSilent) one.pipe(other).pipe(one);
    one.on('close', () => {
      this.pairs.delete(pair);
      other.destroy();
    });
    other.on('close', () => one.destroy());
  }

  private readonly cutIfDue = (sent: Buffer): void => {
    if (this.cuts.left === 0 || !sent.includes(this.cuts.at)) return;
    this.cuts.left -= 1;
    this.cut();
  };

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // a cut connection is what tests want
    return socket.on('close', () => this.sockets.delete(socket));
  }
}
