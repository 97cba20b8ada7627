import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { Journal } from '../../test/support/fake-aws/journal.js';
import { readScope } from '../../test/support/fake-aws/authentication.js';
import { Signing } from '../../test/support/fake-aws/signing.js';
import { composePost } from '../../test/support/fake-aws/sns-post.js';
import { answerXml, element, errorXml, escapeXml, members } from '../../test/support/fake-aws/xml.js';
import { hasContent, type ReceivedCopy } from '../evidence/copies.js';
import { pendingInput } from './pending-input.js';
import type { WorkerAt } from './relay.js';

/**
 * Undefined accepts the message, a refusal does not; `drop` accepts it and closes the connection without a response.
 */
export type AwsAnswer = undefined | AwsRefusal | 'drop';

export interface AwsRefusal {
  status: number;
  /** The error class of SES, the error code of SNS. */
  error: { ses: string; sns: string };
  message: string;
}

/** An e-mail through SES or an SMS through SNS. */
export interface AwsCopy extends ReceivedCopy {
  /** Identifies the AWS account. */
  accessKeyId: string;
  providerMessageId: string;
}

type Call = Pick<AwsCopy, 'accessKeyId' | 'worker' | 'from'>;

interface Reply {
  status: number;
  body: string;
}

const OPTED_OUT_PAGE = 100;
const MAX_SEND_RATE = 10_000;

/** SES and SNS at one address. They keep no bodies, and faults determine their responses. */
export class Aws {
  /** Called for every SendEmail and Publish. */
  answer: () => AwsAnswer | Promise<AwsAnswer> = () => undefined;
  /** Finds the worker of a connection by its remote port. */
  workerAt: WorkerAt = () => Promise.resolve(null);
  /** The delay of every response to a message. */
  delayMs = 0;
  /** Called for every accepted message when the response is sent. */
  onMessage: (copy: AwsCopy) => void = () => undefined;

  private isOffline = false;
  /** Access key → phone numbers. */
  private readonly optedOut = new Map<string, Set<string>>();
  private readonly sockets = new Map<Socket, ReturnType<WorkerAt>>();
  private readonly journal = new Journal();
  private readonly server: Server;

  private constructor(private readonly signing: Signing) {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'x-amzn-errortype': 'InternalFailure' }).end(String(error));
      });
    });
    this.server.keepAliveTimeout = 0; // clients close idle connections
    this.server.on('connection', (socket) => {
      if (this.isOffline) socket.resetAndDestroy();
      this.sockets.set(socket, this.workerAt(socket.remotePort ?? 0));
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(): Promise<Aws> {
    const aws = new Aws(await Signing.create());
    await once(aws.server.listen(0, '127.0.0.1'), 'listening');
    return aws;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Opts a recipient out. As at AWS, the list belongs to the AWS account. */
  optOut(accessKeyId: string, phoneNumber: string): void {
    this.optedOut.set(accessKeyId, (this.optedOut.get(accessKeyId) ?? new Set()).add(phoneNumber));
  }

  /** Composes a signed post of the topic with the message. */
  post(message: object): { headers: Record<string, string>; body: string } {
    return composePost(message, {}, { origin: this.url, signing: this.signing, journal: this.journal });
  }

  /** Closes all connections, and refuses new ones until `goOnline`. */
  goOffline(): void {
    this.isOffline = true;
    for (const socket of this.sockets.keys()) socket.destroy();
  }

  goOnline(): void {
    this.isOffline = false;
  }

  async stop(): Promise<void> {
    this.goOffline();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = Date.now();
    const { method, url = '/' } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // the client aborted its request
    const certificate = this.signing.certificates.get(url);
    if (certificate !== undefined) send(response, { status: 200, body: certificate }, 'application/octet-stream');
    else {
      const accessKeyId = readScope(request.headers.authorization)?.accessKeyId ?? '';
      const worker = (await this.sockets.get(request.socket)) ?? null;
      const call = { accessKeyId, worker, from };
      if (url.startsWith('/v2/')) await this.handleSes(`${method} ${url}`, body, call, response);
      else await this.handleSns(new URLSearchParams(body), call, response);
    }
  }

  private async handleSes(route: string, body: string, call: Call, response: ServerResponse): Promise<void> {
    if (route === 'GET /v2/email/account') {
      const limits = { SendQuota: { MaxSendRate: MAX_SEND_RATE, Max24HourSend: -1, SentLast24Hours: 0 } };
      send(response, { status: 200, body: JSON.stringify({ SendingEnabled: true, ...limits }) }, 'application/json');
    } else if (route === 'POST /v2/email/outbound-emails') {
      const { Content, Destination, EmailTags } = JSON.parse(body) as SendEmail;
      const messageId = EmailTags?.find(({ Name }) => Name === 'message_id')?.Value ?? '';
      const raw = Buffer.from(Content?.Raw?.Data ?? '', 'base64').toString('latin1');
      const recipient = Destination?.ToAddresses?.[0] ?? '';
      const mail = { ...call, recipient, messageId, hasContent: hasContent(raw) };
      await this.accept('ses', mail, response, (id) => JSON.stringify({ MessageId: id }));
    } else {
      send(response, { status: 404, body: '{"message":"No such operation"}' }, 'application/json');
    }
  }

  private async handleSns(parameters: URLSearchParams, call: Call, response: ServerResponse): Promise<void> {
    const operation = parameters.get('Action') ?? '';
    if (operation === 'Publish') {
      const recipient = parameters.get('PhoneNumber') ?? '';
      const sms = { ...call, recipient, messageId: null, hasContent: hasContent(parameters.get('Message') ?? '') };
      await this.accept('sns', sms, response, (id) => answerXml(operation, element('MessageId', id), randomUUID()));
      return;
    }
    const numbers = [...(this.optedOut.get(call.accessKeyId) ?? [])];
    const result = answerAbout(operation, parameters, numbers);
    const body =
      result === null
        ? errorXml(400, 'InvalidAction', operation, randomUUID())
        : answerXml(operation, result, randomUUID());
    send(response, { status: result === null ? 400 : 200, body }, 'text/xml');
  }

  private async accept(
    service: 'ses' | 'sns',
    message: Call & Pick<AwsCopy, 'recipient' | 'messageId' | 'hasContent'>,
    response: ServerResponse,
    bodyOf: (providerMessageId: string) => string,
  ): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs);
    const answer = await this.answer();
    if (typeof answer === 'object') {
      refuse(response, service, answer);
      return;
    }
    const providerMessageId = randomUUID();
    await pendingInput();
    const isAnswerLost = answer === 'drop' || response.destroyed;
    this.onMessage({ ...message, to: Date.now(), isAnswerLost, providerMessageId });
    if (answer === 'drop') response.destroy();
    else send(response, { status: 200, body: bodyOf(providerMessageId) }, service === 'ses' ? JSON_TYPE : XML_TYPE);
  }
}

const JSON_TYPE = 'application/json';
const XML_TYPE = 'text/xml';

interface SendEmail {
  Content?: { Raw?: { Data?: string } };
  Destination?: { ToAddresses?: string[] };
  EmailTags?: { Name: string; Value: string }[];
}

/** The XML inside the result; null for operations that the run does not use. */
function answerAbout(operation: string, parameters: URLSearchParams, optedOut: readonly string[]): string | null {
  switch (operation) {
    case 'ListPhoneNumbersOptedOut': {
      const start = Number(parameters.get('nextToken') ?? 0);
      const end = start + OPTED_OUT_PAGE;
      const next = end < optedOut.length ? element('nextToken', String(end)) : '';
      return members('phoneNumbers', optedOut.slice(start, end).map(escapeXml)) + next;
    }
    case 'CheckIfPhoneNumberIsOptedOut':
      return element('isOptedOut', String(optedOut.includes(parameters.get('phoneNumber') ?? '')));
    case 'GetSMSSandboxAccountStatus':
      return element('IsInSandbox', 'false');
    case 'ListOriginationNumbers':
      return members('PhoneNumbers', []);
    default:
      return null;
  }
}

function refuse(response: ServerResponse, service: 'ses' | 'sns', { status, error, message }: AwsRefusal): void {
  if (service === 'sns') {
    send(response, { status, body: errorXml(status, error.sns, message, randomUUID()) }, XML_TYPE);
    return;
  }
  response.setHeader('x-amzn-errortype', error.ses);
  send(response, { status, body: JSON.stringify({ message }) }, JSON_TYPE);
}

function send(response: ServerResponse, { status, body }: Reply, type: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'x-amzn-requestid': randomUUID() }).end(body);
}
