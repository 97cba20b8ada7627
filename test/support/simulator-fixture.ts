import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import { ApplySimulatedReports } from '../../src/modules/simulator/application/apply-simulated-reports.service.js';
import type { TestAccount, TestKey } from './account.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { sendEmail } from './send-email.js';
import type { TestService } from './service.js';
import { SmtpSink } from './smtp-sink.js';
import { waitFor } from './wait-for.js';
import { WebhookFixture } from './webhook-fixture.js';

/** Longer than the simulator waits before its last report. */
const REPORTED_AFTER_SECONDS = 3;

/** The service beside providers that could be reached, a receiver of webhooks, and what a test does with them. */
export class SimulatorFixture {
  private constructor(
    readonly webhooks: WebhookFixture,
    readonly relay: SmtpSink,
    readonly aws: FakeAws,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<SimulatorFixture> {
    const relay = await SmtpSink.start();
    const aws = await FakeAws.start();
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    process.env.AWS_ENDPOINT_URL_SNS = aws.url;
    return new SimulatorFixture(await WebhookFixture.start({ SMTP_URL: relay.url, ...variables }), relay, aws);
  }

  async stop(): Promise<void> {
    await this.webhooks.stop();
    await this.relay.stop();
    await this.aws.stop();
  }

  get service(): TestService {
    return this.webhooks.service;
  }

  /** The id of the message. */
  sendSms = async ({ secret }: TestKey, to: string): Promise<string> => {
    const { body } = await this.postSms({ secret }, to).expect(201);
    return body.messageLogId as string;
  };

  postSms({ secret }: Pick<TestKey, 'secret'>, to: string) {
    return this.service.request('post', '/api/send/sms').set('X-API-Key', secret).send({ to, body: 'Code 4711' });
  }

  /** The id of the message. */
  send({ secret }: TestKey, to: string, mail: object = {}): Promise<string> {
    return sendEmail(this.service, secret, { to, text: 'Hello', ...mail });
  }

  /** Messages that the simulator has accepted get its reports once this resolves. */
  async report(service = this.service): Promise<void> {
    service.clock.advance({ seconds: REPORTED_AFTER_SECONDS });
    const reports = service.app.get(ApplySimulatedReports, { strict: false });
    await reports.applyDue(new AbortController().signal, () => undefined);
  }

  async sweepAfter(seconds: number): Promise<void> {
    this.service.clock.advance({ seconds });
    await this.service.app.get(SweepDeliveries, { strict: false }).sweep();
  }

  async read({ secret }: TestKey, id: string) {
    return (await this.service.request('get', `/api/messages/${id}`).set('X-API-Key', secret).expect(200)).body;
  }

  /** Waits for the end of so many attempts. */
  attempted(key: TestKey, id: string, attempts = 1) {
    return waitFor(`${attempts} attempts`, async () => {
      const message = await this.read(key, id);
      const isOver = message.status !== 'queued' || message.error !== null;
      return isOver && message.status !== 'sending' && message.events.length >= attempts && message;
    });
  }

  /** Sends, and returns the message once everything was reported about it. */
  async complete(key: TestKey, id: string) {
    await this.attempted(key, id);
    await this.report();
    return this.read(key, id);
  }

  async suppressions(account: TestAccount, query = ''): Promise<{ address: string; reason: string; id: string }[]> {
    return (await account.asMember('get', `/api/suppressions${query}`).expect(200)).body.items;
  }

  /** The data of the events that were posted to the path. */
  async postedData(path: string): Promise<Record<string, unknown>[]> {
    await this.webhooks.dispatch();
    const posts = await this.webhooks.receiver.waitForPosts(1, path);
    return posts.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
}
