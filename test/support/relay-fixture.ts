import type request from 'supertest';

import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import type { Scope } from '../../src/shared/permissions.js';
import type { TestAccount, TestKey } from './account.js';
import { postEmail, sendEmail } from './send-email.js';
import { TestService } from './service.js';
import { SmtpSink } from './smtp-sink.js';
import { waitFor } from './wait-for.js';

/** The verified sender of every account that the fixture opens. */
export const SENDER = 'shop@example.com';

interface Wanted {
  name?: string;
  dailySendCap?: number;
  /** The scopes of the key; all by default. */
  scopes?: readonly Scope[];
}

/** The service and the relay of its installation. */
export class RelayFixture {
  private constructor(
    readonly service: TestService,
    readonly relay: SmtpSink,
  ) {}

  static async start(
    variables: Record<string, string> = {},
    relayOptions?: Parameters<typeof SmtpSink.start>[0],
    database?: { url: string },
  ): Promise<RelayFixture> {
    const relay = await SmtpSink.start(relayOptions);
    return new RelayFixture(await TestService.start({ SMTP_URL: relay.url, ...variables }, database), relay);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.relay.stop();
  }

  /** An account with a verified sender and a key. */
  async open({ scopes, ...wanted }: Wanted = {}): Promise<SendingAccount> {
    const account = await this.service.createAccount(wanted);
    await account.verifySender(SENDER);
    return new SendingAccount(this.service, account, await account.createKey(scopes && { scopes }));
  }

  sweep(): Promise<number> {
    return this.service.app.get(SweepDeliveries, { strict: false }).sweep();
  }
}

/** An account that sends with its key, and reads what became of its messages. */
export class SendingAccount {
  constructor(
    private readonly service: TestService,
    readonly account: TestAccount,
    readonly key: TestKey,
  ) {}

  post(mail: object): request.Test {
    return postEmail(this.service, this.key.secret, mail);
  }

  /** The id of the message. */
  send(mail: object): Promise<string> {
    return sendEmail(this.service, this.key.secret, mail);
  }

  async read(id: string) {
    const path = `/api/messages/${id}`;
    return (await this.service.request('get', path).set('X-API-Key', this.key.secret).expect(200)).body;
  }

  reaches(id: string, status: string, eventCount: number) {
    return waitFor(`${status} with ${eventCount} events`, async () => {
      const message = await this.read(id);
      return message.status === status && message.events.length === eventCount && message;
    });
  }

  /** Sends the mail, and returns its message once the first attempt is recorded. */
  async attempt(mail: object) {
    const id = await this.send(mail);
    return waitFor('an outcome', async () => {
      const message = await this.read(id);
      return message.events.length > 0 && message;
    });
  }
}
