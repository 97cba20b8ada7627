import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { createMessage, newSid, toErrorJson, toJson, type TwilioMessage, type TwilioRefusal } from './message.js';
import { sign } from './signature.js';

/**
 * Undefined lets Twilio answer; an error is answered instead, and nothing is sent. With `drop` the message is taken,
 * but the connection is cut before the answer; with `garble` the answer is none of Twilio's.
 */
export type TwilioAnswer = undefined | TwilioRefusal | 'drop' | 'garble';

export type Parameters = Readonly<Record<string, string>>;

interface PostOptions {
  authToken?: string;
  /** Put in after signing. */
  forged?: Parameters;
  /** Instead of what is right. */
  signature?: string;
  /** Instead of the address that is signed. */
  postedTo?: string;
}

const PATH = /^\/2010-04-01\/Accounts\/(\w+)\/Messages\.json$/;
const STOP_WORDS = ['CANCEL', 'END', 'OPTOUT', 'QUIT', 'REVOKE', 'STOP', 'STOPALL', 'UNSUBSCRIBE'];

/**
 * The Message resource of Twilio on a local address: keeps what it is sent, keeps who has opted out from which sender,
 * and posts status callbacks and replies as https://www.twilio.com/docs/messaging describes them.
 */
export class FakeTwilio {
  /** Asked for every message, before it is looked at. */
  answer!: (form: URLSearchParams) => TwilioAnswer | Promise<TwilioAnswer>;
  /** The address to which a post for another one is made, where a proxy would stand between. */
  deliver = (url: string): string => url;
  /** The auth tokens by account SID. */
  private tokens!: Map<string, string>;
  private taken!: TwilioMessage[];
  private optedOut!: Set<string>;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.reset();
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error)); // a fault of the test
      });
    });
    this.server.keepAliveTimeout = 0; // an idle connection is the client's to close
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(): Promise<FakeTwilio> {
    const fake = new FakeTwilio();
    await once(fake.server.listen(0, '127.0.0.1'), 'listening');
    return fake;
  }

  /** For TWILIO_API_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Another token for the same SID replaces it. */
  openAccount(authToken: string, accountSid = newSid('AC')): string {
    this.tokens.set(accountSid, authToken);
    return accountSid;
  }

  /** The messages of all accounts, oldest first. */
  messages(): readonly TwilioMessage[] {
    return this.taken;
  }

  /** Posts a status callback of a message. */
  report(sid: string, status: string, more: Parameters = {}, options: PostOptions = {}): Promise<Response> {
    const message = this.taken.find((one) => one.sid === sid);
    if (!message?.statusCallback) throw new Error(`${sid} has no status callback`);
    const { accountSid, to, from, messagingServiceSid } = message;
    const parameters = {
      ...{ SmsSid: sid, SmsStatus: status, MessageStatus: status, To: to, MessageSid: sid, AccountSid: accountSid },
      ...{ From: from ?? '+12065550100', ApiVersion: '2010-04-01' },
      ...(messagingServiceSid !== null && { MessagingServiceSid: messagingServiceSid }),
      ...more,
    };
    return this.post(message.statusCallback, parameters, options);
  }

  /** A person sends a message to a number of the account: Twilio keeps who has opted out, and posts to its webhook. */
  receive(
    webhook: string,
    {
      accountSid,
      from,
      to,
      body,
      ...more
    }: { accountSid: string; from: string; to: string; body: string } & Parameters,
    options: PostOptions = {},
  ): Promise<Response> {
    if (STOP_WORDS.includes(body.trim().toUpperCase())) this.optOut(to, from);
    const sid = newSid('SM');
    const parameters = {
      ...{ ToCountry: 'US', ToState: 'WA', SmsMessageSid: sid, NumMedia: '0', ToCity: '', FromZip: '', SmsSid: sid },
      ...{ FromState: 'CA', SmsStatus: 'received', FromCity: '', Body: body, FromCountry: 'US', To: to, ToZip: '' },
      ...{ NumSegments: '1', MessageSid: sid, AccountSid: accountSid, From: from, ApiVersion: '2010-04-01' },
      ...more,
    };
    return this.post(webhook, parameters, options);
  }

  /** Also what is no post of Twilio. */
  post(url: string, parameters: Parameters, options: PostOptions = {}): Promise<Response> {
    const authToken = options.authToken ?? this.tokens.get(parameters.AccountSid ?? '') ?? '';
    const signature = options.signature ?? sign(authToken, url, parameters);
    return fetch(this.deliver(options.postedTo ?? url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': signature,
      },
      body: new URLSearchParams({ ...parameters, ...options.forged }),
    });
  }

  optOut(sender: string, recipient: string): void {
    this.optedOut.add(`${sender} ${recipient}`);
  }

  /** Forgets everything, all accounts included. */
  reset(): void {
    this.answer = () => undefined;
    this.tokens = new Map();
    this.taken = [];
    this.optedOut = new Set();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // the client hung up before the end of its request
    const form = new URLSearchParams(body);
    const answer = await this.answer(form);
    const result = typeof answer === 'object' ? answer : this.perform(request, form);
    if ('sid' in result) this.taken.push(result);
    if (answer === 'drop') {
      request.socket.destroy();
      return;
    }
    const [status, json] = 'sid' in result ? [201, toJson(result)] : [result.status, toErrorJson(result)];
    const answered = answer === 'garble' ? '<html>' : json;
    response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(answered);
  }

  private perform(
    { method, url = '', headers }: IncomingMessage,
    form: URLSearchParams,
  ): TwilioMessage | TwilioRefusal {
    const [, accountSid = ''] = PATH.exec(url) ?? [];
    if (method !== 'POST' || accountSid === '')
      return { status: 404, code: 20404, message: `The requested resource ${url} was not found` };
    const [name = '', password] = Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64')
      .toString()
      .split(':');
    const token = this.tokens.get(name);
    if (token === undefined || token !== password || name !== accountSid)
      return { status: 401, code: 20003, message: 'Authenticate' };
    return createMessage(accountSid, form, (sender, recipient) => this.optedOut.has(`${sender} ${recipient}`));
  }
}
