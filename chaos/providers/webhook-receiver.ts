import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { checkSignature } from '../../test/support/webhook-receiver-signature.js';
import type { WebhookPosts } from '../evidence/evidence.js';

interface ReceiverEndpoint {
  id: string;
  secret: string;
}

/** Receives webhooks and counts them per endpoint and address. */
export class WebhookReceiver {
  /** The status of every response. */
  status = 200;
  private readonly endpoints = new Map<string, ReceiverEndpoint>();
  private readonly received = new Map<string, WebhookPosts>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  trust(path: string, endpoint: ReceiverEndpoint): void {
    this.endpoints.set(path, endpoint);
  }

  posts(): WebhookPosts[] {
    return [...this.received.values()];
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // the sender aborted its request
    const { id = '', secret = '' } = this.endpoints.get(request.url ?? '') ?? {};
    const header = (name: string) => request.headers[name] as string | undefined;
    const verdict = checkSignature(header('x-service-signature'), header('x-service-timestamp'), body, secret);
    const { data } = JSON.parse(body.toString()) as { data: { email?: string; phone?: string } };
    const address = data.email ?? data.phone ?? '';
    const key = `${id} ${address}`;
    const posts = this.received.get(key) ?? { endpointId: id, address, count: 0, unsigned: 0 };
    posts.count += 1;
    if (verdict !== 'valid') posts.unsigned += 1;
    this.received.set(key, posts);
    response.writeHead(this.status).end();
  }
}
