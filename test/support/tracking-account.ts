import request from 'supertest';

import type { TestAccount } from './account.js';
import type { RelayFixture, SendingAccount } from './relay-fixture.js';
import { waitFor } from './wait-for.js';

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

/** An account that sends, and the visits of its recipients. */
export class TrackingAccount {
  private constructor(
    private readonly fixture: RelayFixture,
    private readonly shop: SendingAccount,
  ) {}

  static async open(fixture: RelayFixture, tracking = 'native'): Promise<TrackingAccount> {
    const shop = await fixture.open();
    await shop.account.asAdmin('patch', '/api/settings').send({ tracking }).expect(200);
    return new TrackingAccount(fixture, shop);
  }

  get account(): TestAccount {
    return this.shop.account;
  }

  /** Sends a message and parses what arrives. */
  async send(content: object): Promise<TrackedMail> {
    const id = await this.shop.send(content);
    await this.reaches(id, ({ status }) => status === 'sent');
    const { parsed } = this.fixture.relay.received().find(({ parsed }) => parsed.messageId === `<${id}@example.com>`)!;
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
    return this.fixture.service
      .request('get', path)
      .redirects(0)
      .set({ 'User-Agent': BROWSER, ...headers });
  }

  head(path: string): request.Test {
    return request(this.fixture.service.url).head(path).redirects(0).set('User-Agent', BROWSER);
  }

  read(id: string): Promise<TrackedMessage> {
    return this.shop.read(id);
  }

  async aggregate(): Promise<{ opens: object; clicks: object }> {
    const { body } = await this.account.asMember('get', '/api/messages/aggregate').expect(200);
    const counts = ({ unique, total }: { unique: number; total: number }) => ({ unique, total });
    return { opens: counts(body.opens), clicks: counts(body.clicks) };
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
