import request from 'supertest';

import type { TestAccount } from './account.js';
import { sendEmail } from './send-email.js';
import { TestService } from './service.js';
import { SmtpSink } from './smtp-sink.js';
import { waitFor } from './wait-for.js';

const SENDER = 'shop@example.com';
/** A browser's user agent, so that visits count as those of a person. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface TrackedMail {
  id: string;
  html: string;
  text: string;
  /** The paths of the tracked links, in order. */
  links: string[];
  pixel: string;
}

/** The service with an SMTP relay. */
export class TrackingFixture {
  private constructor(
    readonly service: TestService,
    readonly relay: SmtpSink,
  ) {}

  static async start(): Promise<TrackingFixture> {
    const relay = await SmtpSink.start();
    return new TrackingFixture(await TestService.start({ SMTP_URL: relay.url }), relay);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.relay.stop();
  }

  async open(tracking = 'native'): Promise<TrackingAccount> {
    const account = await this.service.createAccount();
    await account.verifySender(SENDER);
    await account.asAdmin('patch', '/api/settings').send({ tracking }).expect(200);
    return new TrackingAccount(this.service, this.relay, account, (await account.createKey()).secret);
  }
}

/** An account that sends, and the visits of its recipients. */
export class TrackingAccount {
  constructor(
    private readonly service: TestService,
    private readonly relay: SmtpSink,
    readonly account: TestAccount,
    private readonly key: string,
  ) {}

  /** Sends a message and parses what arrives. */
  async send(content: object): Promise<TrackedMail> {
    const id = await sendEmail(this.service, this.key, content);
    await this.reaches(id, ({ status }) => status === 'sent');
    const { parsed } = this.relay.received().find(({ parsed }) => parsed.messageId === `<${id}@example.com>`)!;
    const html = parsed.html || '';
    const paths = [...html.matchAll(/["']http:\/\/localhost:3000(\/r\/[^"']+)["']/g)].map(([, path]) =>
      path!.replaceAll('&amp;', '&'),
    );
    return {
      id,
      html,
      text: parsed.text ?? '',
      links: paths.filter((path) => !path.includes('open.gif')),
      pixel: paths.find((path) => path.includes('open.gif')) ?? '',
    };
  }

  get(path: string, headers: Record<string, string> = {}): request.Test {
    return this.service
      .request('get', path)
      .redirects(0)
      .set({ 'User-Agent': BROWSER, ...headers });
  }

  head(path: string): request.Test {
    return request(this.service.url).head(path).redirects(0).set('User-Agent', BROWSER);
  }

  /** Reads the message with the account's API key. */
  async read(id: string): Promise<TrackedMessage> {
    const { body } = await this.service.request('get', `/api/messages/${id}`).set('X-API-Key', this.key).expect(200);
    return body as TrackedMessage;
  }

  async aggregate(): Promise<{ opens: object; clicks: object }> {
    const { body } = await this.account.asMember('get', '/api/messages/aggregate').expect(200);
    return { opens: body.opens, clicks: body.clicks };
  }

  reaches(id: string, condition: (message: TrackedMessage) => boolean): Promise<TrackedMessage> {
    return waitFor('the message to be as expected', async () => {
      const message = await this.read(id);
      return condition(message) && message;
    });
  }

  /** Waits until exactly that many visits are on the timeline of the message. */
  async visited(id: string, count: number): Promise<TrackedMessage & { visits: Visit[] }> {
    const visitsOf = ({ events }: TrackedMessage) =>
      events.filter(({ type }) => type === 'opened' || type === 'clicked');
    const message = await this.reaches(id, (found) => visitsOf(found).length === count);
    return { ...message, visits: visitsOf(message) };
  }
}

interface Visit {
  type: string;
  occurredAt: string;
  data: { url?: string; userAgent?: string; ip?: string; automated?: boolean };
}

interface TrackedMessage {
  status: string;
  opens: number;
  clicks: number;
  events: Visit[];
}
