import type { TestAccount } from './account.js';
import type { PostOptions } from './fake-aws/sns-post.js';
import { ProviderEvents, sample } from './provider-events.js';

export const TOPIC = 'arn:aws:sns:us-east-1:123456789012:sms-replies';
export const FROM = '+14255550182';
export const TO = '+12125550101';
export const OK = { status: 200, body: '{"stored":true}' };

/** Posts of Amazon SNS with replies to the number of an account. */
export class SmsReplies {
  private count = 0;

  private constructor(readonly events: ProviderEvents) {}

  static async start(): Promise<SmsReplies> {
    return new SmsReplies(await ProviderEvents.start());
  }

  /** Without a topic, replies are not wanted. */
  async open(topicArn: string | null = TOPIC): Promise<TestAccount> {
    const account = await this.events.service.createAccount();
    const sms = { enabled: true, region: 'us-east-1', originationNumber: TO, twoWay: topicArn !== null, topicArn };
    await account.asAdmin('patch', '/api/settings').send({ sms }).expect(200);
    return account;
  }

  post(to: Pick<TestAccount, 'id'>, message: string | object, options: PostOptions = {}) {
    const url = `${this.events.service.url}/api/provider-events/sms/${to.id}`;
    return this.events.aws.notify(url, message, { topicArn: TOPIC, ...options });
  }

  /** Each is another one. */
  reply(fields: object = {}) {
    return { ...sample('sms/two-way-inbound.json'), inboundMessageId: `reply ${++this.count}`, ...fields };
  }
}
