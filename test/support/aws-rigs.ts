import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { Config } from '../../src/config/config.js';
import { SesClients, SnsClients } from '../../src/platform/aws/aws-clients.js';
import { SnsGateway } from '../../src/providers/aws/sns-gateway.js';
import { SnsNotifications } from '../../src/providers/aws/sns-notifications.js';
import type { ProviderPost } from '../../src/providers/index.js';
import { SesEmailProvider } from '../../src/providers/ses/ses-email-provider.js';
import { SesRate } from '../../src/providers/ses/ses-rate.js';
import { SesReports } from '../../src/providers/ses/ses-reports.js';
import { SesTracking } from '../../src/providers/ses/ses-tracking.js';
import { SnsAccount } from '../../src/providers/sns/sns-account.js';
import { SnsReports } from '../../src/providers/sns/sns-reports.js';
import { SnsSmsProvider } from '../../src/providers/sns/sns-sms-provider.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { TOPIC_ARN } from './fake-aws/sns-post.js';
import { absent, type ProviderRig } from './provider-contract.js';
import { sample } from './provider-events.js';
import {
  SECRET,
  CLOCK,
  SECRETS,
  EMAIL,
  SMS,
  settingsWith,
  contextWith,
  forge,
  startCutting,
  closedPort,
  portOf,
  UNKNOWN_IF_CUT,
} from './provider-rig-parts.js';
import { KEYS, SIGN } from './vendor-posts.js';

/** What a subscriber of a topic is posted. */
async function postOf(aws: FakeAws, message: object): Promise<ProviderPost> {
  const posts: ProviderPost[] = [];
  const receiver = createHttpServer((request, response) => {
    void buffer(request).then((body) => {
      posts.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  await aws.notify(`http://127.0.0.1:${portOf(receiver)}`, message);
  receiver.close();
  return posts[0]!;
}

const notifications = () => {
  const gateway = new SnsGateway({ snsSigningCertHosts: ['127.0.0.1'] } as unknown as Config);
  return new SnsNotifications(gateway, CLOCK);
};

const SES_SETTINGS = {
  ...{ region: 'eu-west-1', configurationSet: null, topicArn: TOPIC_ARN, accessKeyId: 'AKIASHOP' },
  sealedSecretAccessKey: SECRETS.seal(SECRET),
};

/** What SES and SNS have in common: their clients, and a far side that one of their operations meets. */
async function awsRig(operation: 'SendEmail' | 'Publish') {
  const aws = await FakeAws.start();
  const cutting = await startCutting();
  const unused = await closedPort();
  const variable = operation === 'SendEmail' ? 'AWS_ENDPOINT_URL_SESV2' : 'AWS_ENDPOINT_URL_SNS';
  const answers = (answer: Awaited<ReturnType<FakeAws['answer']>>) => () => {
    aws.answer = (request) => (request.operation === operation ? answer : undefined);
  };
  const use = (url: string) => {
    process.env[variable] = url;
  };
  return {
    aws,
    use: () => {
      use(aws.url);
    },
    cut: () => {
      use(`http://127.0.0.1:${portOf(cutting)}`);
    },
    close: () => {
      use(`http://127.0.0.1:${unused}`);
    },
    behave: {
      'refuses the credentials': () => {
        aws.admission = { keyState: () => 'unknown', regions: undefined };
      },
      'is cut off after it has the message': answers('drop'),
      'cannot be read after it has the message': answers('garble'),
    },
    answers,
    stop: async () => {
      Reflect.deleteProperty(process.env, variable);
      cutting.close();
      await aws.stop();
    },
  };
}

export async function sesRig(): Promise<ProviderRig> {
  const { aws, use, cut, close, answers, behave, stop } = await awsRig('SendEmail');
  let clients: SesClients;
  let provider: SesEmailProvider;
  const connect = () => {
    clients = new SesClients();
    provider = new SesEmailProvider(clients, new SesTracking(clients), new SesRate(clients), SECRETS);
  };
  const connection = () => provider.connect(settingsWith({ emailProvider: 'ses', ses: SES_SETTINGS }))!;
  const genuine = await postOf(aws, sample('ses/event-publishing-delivery-record.json'));
  const denied = { status: 403, error: 'AccessDeniedException', message: 'Not from this sender' };
  return {
    kind: 'ses',
    provider: () => provider,
    waits: true,
    secrets: [SECRET],
    submit: (check) => provider.sendEmail(EMAIL, connection(), check),
    accepted: () => aws.sent().length,
    behave: {
      'refuses for good': answers({ status: 400, error: 'MessageRejected', message: 'No' }),
      'refuses for now': answers(denied),
      throttles: answers({ status: 429, error: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' }),
      'cannot be connected to': () => {
        close();
        connect();
      },
      'is cut off before it has the message': () => {
        cut();
        connect();
      },
      ...behave,
    },
    errors: UNKNOWN_IF_CUT,
    limit: () => provider.limitOf(connection()),
    findFault: () => provider.findFault(connection()),
    reports: [
      {
        ...{ reader: new SesReports(notifications()), provider: 'ses', genuine, forged: forge(genuine) },
        context: contextWith({ ses: SES_SETTINGS }),
      },
    ],
    reset: () => {
      aws.reset();
      use();
      connect();
    },
    stop,
  };
}

export async function snsRig(): Promise<ProviderRig> {
  const { aws, use, cut, close, answers, behave, stop } = await awsRig('Publish');
  let provider: SnsSmsProvider;
  const connect = () => {
    const clients = new SnsClients();
    provider = new SnsSmsProvider(clients, new SnsAccount(clients), SECRETS);
  };
  const sms = {
    ...{ enabled: true, region: 'us-east-1', originationNumber: '+12065550100', senderId: null, twoWay: true },
    ...{ topicArn: TOPIC_ARN, maxSendRate: 5, sealedEventSigningKey: SECRETS.seal(KEYS.generic) },
  };
  const connection = () => provider.connect(settingsWith({ ses: SES_SETTINGS, sms }))!;
  const receipt = {
    ...{ notification: { messageId: 'm1', timestamp: new Date().toISOString() }, status: 'SUCCESS' },
    delivery: { destination: '+14155550100', providerResponse: 'Message has been accepted by phone' },
  };
  const { headers, body } = SIGN.generic(receipt);
  const genuine = { headers, body: Buffer.from(body) };
  return {
    kind: 'sns',
    provider: () => provider,
    waits: true,
    findFault: absent('SNS has no call that tells whether the credentials may publish'),
    secrets: [SECRET, KEYS.generic],
    submit: (check) => provider.sendSms(SMS, connection(), check),
    accepted: () => aws.published().length,
    behave: {
      'refuses for good': answers({ status: 400, error: 'InvalidParameter', message: 'No' }),
      'refuses for now': absent('SNS has no such answer but throttling: after a 5xx it may have sent the message'),
      throttles: answers({ status: 429, error: 'Throttled', message: 'Rate exceeded' }),
      'cannot be connected to': () => {
        close();
        connect();
      },
      'is cut off before it has the message': () => {
        cut();
        connect();
      },
      ...behave,
    },
    errors: UNKNOWN_IF_CUT,
    limit: () => provider.limitOf(connection()),
    reports: [
      {
        ...{ reader: new SnsReports(notifications(), SECRETS), provider: 'sns', genuine, forged: forge(genuine) },
        context: contextWith({ sms }),
      },
    ],
    reset: () => {
      aws.reset();
      use();
      connect();
    },
    stop,
  };
}
