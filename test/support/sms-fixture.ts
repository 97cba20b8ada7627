import { ProviderDirectory } from '../../src/modules/provider-settings/index.js';
import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount, TestKey } from './account.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { TestService } from './service.js';
import { waitFor } from './wait-for.js';

export const ORIGINATION = '+12065550100';
export const RECIPIENT = '+14155550100';

export interface SmsAccount {
  account: TestAccount;
  key: TestKey;
  accessKeyId: string;
}

/** The service beside an SNS of this machine, and what a test does with both. */
export class SmsFixture {
  private opened = 0;

  private constructor(
    readonly service: TestService,
    readonly aws: FakeAws,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<SmsFixture> {
    const aws = await FakeAws.start();
    process.env.AWS_ENDPOINT_URL_SNS = aws.url;
    return new SmsFixture(await TestService.start(variables), aws);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.aws.stop();
  }

  /** With SMS enabled, an AWS account of its own outside the sandbox, and a key. */
  async open(sms: object = {}, account?: TestAccount): Promise<SmsAccount> {
    const accessKeyId = `AKIASMS${++this.opened}`;
    const opened = account ?? (await this.service.createAccount());
    const ses = { region: 'eu-west-1', accessKeyId, secretAccessKey: 'a secret of AWS' };
    const settings = { enabled: true, region: 'us-east-1', originationNumber: ORIGINATION, ...sms };
    await opened.asAdmin('patch', '/api/settings').send({ ses, sms: settings }).expect(200);
    return { account: opened, key: await opened.createKey(), accessKeyId };
  }

  post(key: TestKey, body: object = {}) {
    return this.service
      .request('post', '/api/send/sms')
      .set('X-API-Key', key.secret)
      .send({ to: RECIPIENT, body: 'Your code is 4711', ...body });
  }

  /** The id of the message. */
  async send(key: TestKey, body: object = {}): Promise<string> {
    return ((await this.post(key, body).expect(201)).body as { messageLogId: string }).messageLogId;
  }

  async read(key: TestKey, id: string) {
    const { body } = await this.service.request('get', `/api/messages/${id}`).set('X-API-Key', key.secret).expect(200);
    return body;
  }

  reaches(key: TestKey, id: string, status: string, eventCount: number) {
    return waitFor(`${status} with ${eventCount} events`, async () => {
      const message = await this.read(key, id);
      return message.status === status && message.events.length === eventCount && message;
    });
  }

  async sweepAfter(seconds: number): Promise<void> {
    this.service.clock.advance({ seconds });
    await this.service.app.get(SweepDeliveries, { strict: false }).sweep();
  }

  /** A change of settings reaches whoever sends within a second. */
  async knows(account: TestAccount, condition: (provider: unknown) => boolean): Promise<void> {
    const directory = this.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the change to be known', async () => condition(await directory.findSms(account.id)));
  }
}
