import { Agent, type IncomingHttpHeaders, request } from 'node:http';

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

const TIMEOUT_MS = 60_000;

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
          ...{ agent: this.agent, host: '127.0.0.1', port: this.port, timeout: TIMEOUT_MS },
          ...{ method, path, headers: { ...length, ...headers } },
        },
        (response) => {
          isAnswered = true;
          const { statusCode, headers } = response;
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            resolve({ status: statusCode!, headers, text: Buffer.concat(chunks).toString('utf8') });
          });
          response.on('error', reject);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered in time`)));
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
