import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { type Admission, authenticate } from './authentication.js';
import { AwsAccount } from './aws-account.js';
import type { AwsCall, AwsRequest } from './aws-call.js';
import { AwsError } from './aws-error.js';
import { Journal, type PublishedSms, type SentEmail, type Subscription } from './journal.js';
import { type ReadRequest, readRequest } from './read-request.js';
import { runSes } from './sesv2.js';
import { Signing } from './signing.js';
import { composePost, type PostOptions } from './sns-post.js';
import { runSns } from './sns.js';
import { answerXml, errorXml } from './xml.js';

/**
 * Undefined lets AWS answer; an error is answered instead, and nothing is done. With `drop` and `hang` the request is
 * carried out, but its answer gets lost: the connection is cut, or stays silent. With `garble` it is none of AWS.
 */
export type AwsAnswer = undefined | AwsRefusal | 'drop' | 'hang' | 'garble';

interface AwsRefusal {
  status: number;
  /** The class that SES names, or the code that SNS does. */
  error: string;
  message: string;
  headers?: Record<string, string>;
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** SES and SNS on one local address: keeps what it is sent, behaves as a test configures it, and posts events. */
export class FakeAws {
  /** Asked for every request, before it is looked at further. */
  answer!: (request: AwsRequest) => AwsAnswer | Promise<AwsAnswer>;
  /** Every answer is held back for so long. */
  latencyMs!: number;
  /** The accepted access keys and regions; all by default. */
  admission!: Admission;
  /** TCP connections since the last reset, and those that are open. */
  connections!: { opened: number; open: number };

  private accounts!: Map<string, AwsAccount>;
  private journal!: Journal;
  private counts!: Map<string, number>;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly signing: Signing) {
    this.reset();
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'x-amzn-errortype': 'InternalFailure' }).end(String(error)); // a fault of the test
      });
    });
    this.server.keepAliveTimeout = 0; // an idle connection is the client's to close
    this.server.on('connection', (socket) => {
      this.keep(socket);
    });
  }

  static async start(): Promise<FakeAws> {
    const fake = new FakeAws(await Signing.create());
    await once(fake.server.listen(0, '127.0.0.1'), 'listening');
    return fake;
  }

  /** For AWS_ENDPOINT_URL_SESV2 and AWS_ENDPOINT_URL_SNS; certificates and SubscribeURLs are on this host too. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Made when it is first asked for, here or by a request. */
  account(accessKeyId: string): AwsAccount {
    const account = this.accounts.get(accessKeyId) ?? new AwsAccount();
    this.accounts.set(accessKeyId, account);
    return account;
  }

  /** Accepted mails of all accounts, oldest first. */
  sent(): readonly SentEmail[] {
    return this.journal.sent;
  }

  published(): readonly PublishedSms[] {
    return this.journal.published;
  }

  subscriptions(): readonly Subscription[] {
    return this.journal.subscriptions;
  }

  /** How often an operation was asked for, refusals included. */
  requests(operation: string): number {
    return this.counts.get(operation) ?? 0;
  }

  /** Posts to a subscriber of a topic as SNS does, and answers what the subscriber answered. An object goes as JSON. */
  async notify(
    url: string,
    message: string | object,
    options: PostOptions = {},
  ): Promise<{ status: number; body: string }> {
    const source = { origin: this.url, signing: this.signing, journal: this.journal };
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      ...composePost(message, options, source),
    });
    return { status: response.status, body: await response.text() };
  }

  /** Forgets everything, all settings included. */
  reset(): void {
    this.answer = () => undefined;
    this.latencyMs = 0;
    this.admission = { keyState: () => 'valid', regions: undefined };
    this.connections = { opened: 0, open: this.sockets.size };
    this.accounts = new Map();
    this.journal = new Journal();
    this.counts = new Map();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    this.connections.opened += 1;
    this.connections.open += 1;
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.connections.open -= 1;
    });
  }

  private async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(message).catch(() => undefined);
    if (body === undefined) return; // the client hung up before the end of its request
    const read = readRequest(message, body);
    const { operation } = read.request;
    this.counts.set(operation, this.requests(operation) + 1);
    const answer = await this.answer(read.request);
    const reply = typeof answer === 'object' ? refuse(read.request, answer) : this.perform(read);
    if (answer === 'hang') return;
    if (this.latencyMs > 0) await pause(this.latencyMs, undefined, { ref: false });
    if (answer === 'drop') message.socket.destroy();
    else response.writeHead(reply.status, reply.headers).end(answer === 'garble' ? '<html>' : reply.body);
  }

  private perform({ request, path, scope, needsSignature }: ReadRequest): Reply {
    try {
      if (needsSignature) authenticate(request.service, scope, this.admission);
      if (request.operation === 'GetSigningCertificate') return this.certificate(path);
      return succeed({ request, account: this.account(request.accessKeyId), journal: this.journal });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return refuse(request, { status: error.status, error: error.code, message: error.message });
    }
  }

  private certificate(path: string): Reply {
    const pem = this.signing.certificates.get(path);
    return { status: pem ? 200 : 404, headers: { 'content-type': 'binary/octet-stream' }, body: pem ?? '' };
  }
}

function succeed(call: AwsCall): Reply {
  const requestId = randomUUID();
  const { service, operation } = call.request;
  if (service === 'ses') return reply(200, 'application/json', requestId, JSON.stringify(runSes(call)));
  return reply(200, 'text/xml', requestId, answerXml(operation, runSns(call), requestId));
}

function refuse({ service }: AwsRequest, { status, error, message, headers }: AwsRefusal): Reply {
  const requestId = randomUUID();
  const refusal =
    service === 'ses'
      ? reply(status, 'application/json', requestId, JSON.stringify({ message }))
      : reply(status, 'text/xml', requestId, errorXml(status, error, message, requestId));
  if (service === 'ses') refusal.headers['x-amzn-errortype'] = error;
  return { ...refusal, headers: { ...refusal.headers, ...headers } };
}

const reply = (status: number, type: string, requestId: string, body: string): Reply => ({
  status,
  headers: { 'content-type': type, 'x-amzn-requestid': requestId },
  body,
});
