import { readDashboard } from '../../src/platform/http/dashboard-files.js';
import type { Browser, BrowserContextOptions } from 'playwright-core';

import type { TestAccount } from './account.js';
import { launchBrowser, Visitor } from './browser.js';
import { TestService } from './service.js';
import { SmtpSink } from './smtp-sink.js';

export const SENDER = 'shop@example.com';
export const PASSWORD = 'a password of eight or more';

type Arrival = BrowserContextOptions & {
  /** Host name under which the visitor reaches the service. */
  host?: string;
};

/** The whole service with the built dashboard, a relay, an account with two users and a sender, and a browser. */
export class DashboardFixture {
  private readonly visitors: Visitor[] = [];

  private constructor(
    readonly service: TestService,
    readonly relay: SmtpSink,
    readonly account: TestAccount,
    private readonly browser: Browser,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<DashboardFixture> {
    if (!readDashboard()) throw new Error('The dashboard is not built: npm run build makes it');
    const relay = await SmtpSink.start();
    const service = await TestService.start({ SMTP_URL: relay.url, ...variables }, undefined, { schedules: true });
    const account = await service.createAccount({ name: 'Northwind' });
    await account.verifySender(SENDER);
    for (const role of ['admin', 'member'])
      await account
        .asAdmin('post', '/api/users')
        .send({ email: `${role}@example.com`, password: PASSWORD, role })
        .expect(201);
    return new DashboardFixture(service, relay, account, await launchBrowser());
  }

  /** A visitor who opened the dashboard at `path` and signed in. */
  async visit(role: 'admin' | 'member', path: string, options: Arrival = {}): Promise<Visitor> {
    const visitor = await this.arrive(options);
    await visitor.open(path);
    await visitor.logIn({ email: `${role}@example.com`, password: PASSWORD });
    return visitor;
  }

  async arrive({ host, ...options }: Arrival = {}): Promise<Visitor> {
    const url = new URL(this.service.url);
    if (host !== undefined) url.hostname = host;
    const visitor = await Visitor.arrive(this.browser, url.origin, options);
    this.visitors.push(visitor);
    return visitor;
  }

  /** For afterEach: closes all visitors and returns the faults that they recorded. */
  async faults(): Promise<string[]> {
    const gone = this.visitors.splice(0);
    await Promise.all(gone.map((visitor) => visitor.leave()));
    return gone.flatMap(({ faults }) => faults);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.relay.stop();
  }
}
