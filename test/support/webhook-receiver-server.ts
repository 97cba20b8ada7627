import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { perform } from './webhook-receiver-answers.js';
import type {
  ReceivedPost,
  ReceivedPosts,
  ReceiverAnswer,
  ReceiverConnections,
  ReceiverRequest,
  ReceiverSecrets,
} from './webhook-receiver-script.js';
import { checkSignature } from './webhook-receiver-signature.js';
import { requireDescribed } from './webhook-schemas.js';

export interface ReceiverOptions {
  /** The brand in the names of the headers. */
  brand?: string;
  /** For TLS, both in PEM. */
  tls?: { key: string; cert: string };
}

const OK: ReceiverAnswer = { status: 200, body: 'ok' };

/** Runs in the receiver's process. */
export class WebhookReceiverServer {
  private readonly answers = new Map<string, ReceiverAnswer[]>();
  /** What sends the answers that are held, by path. Without an entry, those of the path are not held any more. */
  private readonly held = new Map<string, (() => void)[]>();
  private readonly secrets = new Map<string, ReceiverSecrets>();
  private readonly posts: ReceivedPost[] = [];
  private readonly faults: string[] = [];
  private readonly connections: ReceiverConnections = { opened: 0, open: 0 };
  private readonly server: Server;
  private readonly prefix: string;

  private constructor({ brand = 'Service', tls }: ReceiverOptions) {
    this.prefix = `x-${brand.toLowerCase()}`;
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response);
    this.server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.server.on('connection', (socket: Socket) => {
      this.connections.opened += 1;
      this.connections.open += 1;
      socket.on('close', () => (this.connections.open -= 1));
    });
  }

  static async start(options: ReceiverOptions): Promise<WebhookReceiverServer> {
    const receiver = new WebhookReceiverServer(options);
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  reply(request: ReceiverRequest): unknown {
    if (request.ask === 'received')
      return { posts: this.postsTo(request.path), faults: this.faults } satisfies ReceivedPosts;
    if (request.ask === 'count') return this.postsTo(request.path).length;
    if (request.ask === 'connections') return this.connections;
    if (request.ask === 'answer') this.setAnswers(request.path, request.answers);
    if (request.ask === 'release') this.release(request.path);
    if (request.ask === 'trust') this.secrets.set(request.path, request.secrets);
    if (request.ask === 'reset') this.reset();
    return null;
  }

  private postsTo(path: string | undefined): ReceivedPost[] {
    return path === undefined ? this.posts : this.posts.filter((post) => pathOf(post.path) === path);
  }

  private setAnswers(path: string, answers: ReceiverAnswer[]): void {
    this.answers.set(path, answers);
    if (!this.held.has(path)) this.held.set(path, []);
  }

  private release(path: string): void {
    const held = this.held.get(path) ?? [];
    this.held.delete(path);
    for (const send of held) send();
  }

  private reset(): void {
    this.answers.clear();
    this.held.clear();
    this.secrets.clear();
    this.posts.length = 0;
    this.faults.length = 0;
    this.connections.opened = 0;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // the sender hung up before the end of its request
    const path = pathOf(request.url ?? '');
    const post: ReceivedPost = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: body.toString(),
      receivedAt: Date.now(),
      signature: this.checkSignature('-signature', request, body, this.secrets.get(path)?.current),
      previousSignature: this.checkSignature('-signature-previous', request, body, this.secrets.get(path)?.previous),
      sentBytes: 0,
      isAnswered: false,
      wasCut: false,
    };
    this.posts.push(post);
    if (isWebhook(post.headers)) this.check(post);
    const answers = this.answers.get(path) ?? [];
    perform((answers.length > 1 ? answers.shift() : answers[0]) ?? OK, response, post, (send) => {
      const held = this.held.get(path);
      if (held) held.push(send);
      else send();
    });
  }

  private check({ body }: ReceivedPost): void {
    try {
      requireDescribed(body);
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }

  private checkSignature(name: string, { headers }: IncomingMessage, body: Buffer, secret: string | undefined) {
    if (secret === undefined) return null;
    const header = (suffix: string) => headers[this.prefix + suffix] as string | undefined;
    return checkSignature(header(name), header('-timestamp'), body, secret);
  }
}

const pathOf = (url: string): string => new URL(url, 'http://receiver').pathname;

/** Other posts are those of tests that try the client alone. */
const isWebhook = (headers: ReceivedPost['headers']): boolean =>
  Object.keys(headers).some((name) => /^x-.+-delivery$/.test(name));
