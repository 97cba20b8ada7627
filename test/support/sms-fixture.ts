import { ProviderDirectory } from '../../src/modules/provider-settings/index.js';
import type { TestAccount, TestKey } from './account.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { TestService } from './service.js';
import { RECIPIENT, SmsMessages } from './sms-messages.js';
import { waitFor } from './wait-for.js';

export const ORIGINATION = '+12065550100';
export { RECIPIENT };

export interface SmsAccount {
  account: TestAccount;
  key: TestKey;
  accessKeyId: string;
}

/** The service beside an SNS of this machine, and what a test does with both. */
export class SmsFixture extends SmsMessages {
  private opened = 0;

  private constructor(
    service: TestService,
    readonly aws: FakeAws,
  ) {
    super(service);
  }

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

  /** A change of settings reaches whoever sends within a second. */
  async knows(account: TestAccount, condition: (provider: unknown) => boolean): Promise<void> {
    const directory = this.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the change to be known', async () => condition(await directory.findSms(account.id)));
  }
}
