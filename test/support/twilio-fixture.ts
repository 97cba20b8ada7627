import type { TestAccount, TestKey } from './account.js';
import { FakeTwilio } from './fake-twilio/fake-twilio.js';
import { TestService } from './service.js';
import { RECIPIENT, SmsMessages } from './sms-messages.js';

export const BASE_URL = 'https://mail.example.com/service';
export const FROM = '+12065550100';
export { RECIPIENT };

export interface TwilioAccount {
  account: TestAccount;
  key: TestKey;
  accountSid: string;
  authToken: string;
  /** For replies to the numbers of the account. */
  webhook: string;
}

/** The service, behind a proxy that serves BASE_URL, beside a Twilio of this machine. */
export class TwilioFixture extends SmsMessages {
  private opened = 0;

  private constructor(
    service: TestService,
    readonly twilio: FakeTwilio,
  ) {
    super(service);
  }

  static async start(variables: Record<string, string> = {}): Promise<TwilioFixture> {
    const twilio = await FakeTwilio.start();
    const service = await TestService.start({ BASE_URL, TWILIO_API_URL: twilio.url, ...variables });
    twilio.deliver = (url) => url.replace(BASE_URL, service.url);
    return new TwilioFixture(service, twilio);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.twilio.stop();
  }

  /** With SMS through a Twilio account of its own, and a key. */
  async open(changes: { twilio?: object; [field: string]: unknown } = {}): Promise<TwilioAccount> {
    const { twilio = { from: FROM }, ...sms } = changes;
    const account = await this.service.createAccount();
    const authToken = `the token of account ${++this.opened}`;
    const accountSid = this.twilio.openAccount(authToken);
    const settings = { provider: 'twilio', enabled: true, maxSendRate: 1_000, ...sms };
    await account
      .asAdmin('patch', '/api/settings')
      .send({ sms: { ...settings, twilio: { accountSid, authToken, ...twilio } } })
      .expect(200);
    const webhook = `${BASE_URL}/api/provider-events/twilio/${account.id}`;
    return { account, key: await account.createKey(), accountSid, authToken, webhook };
  }

  async suppressions({ account }: TwilioAccount): Promise<object[]> {
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    return (body as { items: { address: string; reason: string; source: string }[] }).items.map(
      ({ address, reason, source }) => ({ address, reason, source }),
    );
  }
}
