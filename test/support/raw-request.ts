import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface RawRequest {
  method: string;
  /** Sent unchanged. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
}

const TIMEOUT_MS = 15_000;

/** Sends malformed requests, too. A request that is not answered in time fails. */
export class RawClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
  private readonly port: number;

  constructor(url: string) {
    this.port = Number(new URL(url).port);
  }

  send({ method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const sent = request(
        {
          agent: this.agent,
          host: '127.0.0.1',
          port: this.port,
          method,
          path,
          headers: { ...length, ...headers },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
        (response) => {
          isAnswered = true;
          buffer(response).then((bytes) => {
            resolve({ status: response.statusCode!, headers: response.headers, text: bytes.toString('utf8') });
          }, reject);
        },
      );
      // A refused body need not be read to its end.
      sent.on('error', (error) => {
        if (!isAnswered) reject(error);
      });
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
