import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a request: `refused` it does not reach the service, and neither does its `busy`, a 503 of the proxy;
 * the others do, but its response is `lost`, `late` (never sent) or `cut` off. `repeated` sends the
 * request to the service twice, at the same time. `bad-gateway` replaces the response.
 */
export type Fault = 'none' | 'refused' | 'busy' | 'lost' | 'late' | 'cut' | 'repeated' | 'bad-gateway';

/** Headers of a single connection; `fetch` sets its own. */
const HOP_BY_HOP = /^(?:host|connection|keep-alive|transfer-encoding|content-length)$/;

interface Forwarded {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/** An HTTP proxy on this machine that treats each request by the next fault of a script, and later ones well. */
export class FaultyProxy {
  /** The Idempotency-Key of each request that arrived. */
  readonly keys: (string | undefined)[] = [];
  /** The status of each response of the service. */
  readonly statuses: number[] = [];
  /** Called once the service has answered a request whose response is late: ends the client's patience. */
  onLate: () => void = () => undefined;
  private script: Fault[] = [];
  private readonly server: Server;

  private constructor(private readonly target: string) {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
  }

  static async start(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on. */
  follow(...faults: Fault[]): void {
    this.script = faults;
    this.keys.length = 0;
    this.statuses.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.script.shift() ?? 'none';
    this.keys.push(request.headers['idempotency-key'] as string | undefined);
    const body = await buffer(request);
    if (fault === 'refused') return void request.socket.resetAndDestroy();
    if (fault === 'busy') return void response.writeHead(503, { 'Retry-After': '0' }).end('busy');
    const forwarded = await this.forward(request, body);
    const again = fault === 'repeated' ? await this.forward(request, body) : forwarded;
    if (fault === 'lost') return void request.socket.resetAndDestroy();
    if (fault === 'late') {
      this.onLate();
      return; // the client hangs up
    }
    if (fault === 'bad-gateway') return void response.writeHead(502).end('<h1>Bad Gateway</h1>');
    response.writeHead(again.status, again.headers.flat());
    if (fault !== 'cut') return void response.end(again.body);
    response.write(again.body.subarray(0, 10), () => request.socket.resetAndDestroy());
  }

  private async forward({ url, method, headers }: IncomingMessage, body: Buffer): Promise<Forwarded> {
    const others = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name));
    const response = await fetch(`${this.target}${url}`, {
      method,
      headers: others as [string, string][],
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    this.statuses.push(response.status);
    const received = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      headers: [...response.headers].filter(([name]) => !HOP_BY_HOP.test(name)),
      body: received,
    };
  }
}
