import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const READ_EVERY_MS = 500;
const READ_BYTES = 1_024;

/** A relay that accepts every envelope and reads the content at 2 kB/s, so that its connections are never silent. */
export class SlowRelay {
  private readonly sockets = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Transactions whose content has begun. */
  begun = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined); // the client may give up
      this.talk(socket);
    });
  }

  static async start(): Promise<SlowRelay> {
    const relay = new SlowRelay(createServer());
    await once(relay.server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    const answer = (command: Buffer) => {
      if (/^DATA\r\n$/im.test(command.toString())) {
        socket.removeListener('data', answer);
        socket.write('354 Go on\r\n');
        this.readSlowly(socket);
      } else socket.write(command.toString().startsWith('EHLO') ? '250 relay\r\n' : '250 OK\r\n');
    };
    socket.on('data', answer);
    socket.write('220 relay ESMTP\r\n');
  }

  private readSlowly(socket: Socket): void {
    this.begun += 1;
    socket.pause();
    const timer = setInterval(() => socket.read(READ_BYTES) as unknown, READ_EVERY_MS);
    this.timers.add(timer);
    socket.once('close', () => {
      clearInterval(timer);
    });
  }
}
