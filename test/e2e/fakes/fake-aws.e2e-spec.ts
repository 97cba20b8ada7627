import {
  CreateConfigurationSetCommand,
  CreateConfigurationSetEventDestinationCommand,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetAccountCommand,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SendEmailCommand,
  type SendEmailCommandInput,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { waitFor } from '../../support/wait-for.js';

const KEY = 'AKIDEXAMPLE';
const RAW = 'From: a@b.example\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nGrüße';

let aws: FakeAws;

beforeAll(async () => {
  aws = await FakeAws.start();
});
afterEach(() => {
  aws.reset();
});
afterAll(() => aws.stop());

const settings = (accessKeyId = KEY, region = 'us-east-1') => ({
  region,
  endpoint: aws.url,
  credentials: { accessKeyId, secretAccessKey: 'secret' },
  maxAttempts: 1,
});

describe('SES of the fake AWS', () => {
  const clients: SESv2Client[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  function ses(accessKeyId?: string, region?: string): SESv2Client {
    const client = new SESv2Client(settings(accessKeyId, region));
    clients.push(client);
    return client;
  }

  const email = (more: Partial<SendEmailCommandInput> = {}) =>
    new SendEmailCommand({
      FromEmailAddress: 'a@b.example',
      Destination: { ToAddresses: ['t@e.example'] },
      Content: { Raw: { Data: Buffer.from(RAW) } },
      ...more,
    });

  it('takes no more in a second than the rate of an account and a tenth', async () => {
    aws.account(KEY).maxSendRate = 10;
    const client = ses();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => client.send(email())));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused[0]!.reason).toBeInstanceOf(TooManyRequestsException);
    expect(refused[0]!.reason).toMatchObject({
      message: 'Maximum sending rate exceeded.',
      $metadata: { httpStatusCode: 429 },
    });
    await ses('AKIDOTHER').send(email());

    await waitFor('the rate to allow another', () => client.send(email()).catch(() => undefined));
    const times = aws.sent().flatMap(({ accessKeyId, receivedAt }) => (accessKeyId === KEY ? receivedAt : []));
    expect(times.length).toBeGreaterThan(11);
    times.slice(11).forEach((time, n) => {
      expect(time - times[n]!).toBeGreaterThanOrEqual(1_000);
    });
  });

  it('enforces the daily quota, and returns both limits', async () => {
    Object.assign(aws.account(KEY), { sandbox: true, dailyQuota: 200, maxSendRate: 1, sentLast24Hours: 199 });
    aws.account(KEY).identities.verify('b.example');
    await ses().send(email({ Destination: { ToAddresses: ['success@simulator.amazonses.com'] } }));
    expect(await ses().send(new GetAccountCommand({}))).toMatchObject({
      ProductionAccessEnabled: false,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: 200, MaxSendRate: 1, SentLast24Hours: 200 },
    });
    aws.account(KEY).maxSendRate = 100;
    await expect(
      ses().send(email({ Destination: { ToAddresses: ['success@simulator.amazonses.com'] } })),
    ).rejects.toMatchObject({ name: 'LimitExceededException' });
  });

  it('sends in the sandbox from and to verified identities only', async () => {
    const account = aws.account(KEY);
    account.sandbox = true;
    await expect(ses(KEY, 'eu-west-1').send(email())).rejects.toMatchObject({
      name: 'MessageRejected',
      message:
        'Email address is not verified. The following identities failed the check in region EU-WEST-1: a@b.example, t@e.example',
    });
    account.identities.verify('t@e.example');
    account.identities.verify('example');
    await ses().send(email());
  });

  it('refuses an unverified sender outside the sandbox only where it is to', async () => {
    await ses().send(email());
    aws.account(KEY).verifiedSendersOnly = true;
    await expect(ses().send(email())).rejects.toMatchObject({ name: 'MessageRejected' });
  });

  it.each([
    ['paused', 'SendingPausedException', { SendingEnabled: false, EnforcementStatus: 'HEALTHY' }],
    ['suspended', 'AccountSuspendedException', { SendingEnabled: false, EnforcementStatus: 'SHUTDOWN' }],
  ] as const)('does not send for a %s account', async (state, name, account) => {
    aws.account(KEY)[state] = true;
    await expect(ses().send(email())).rejects.toMatchObject({ name });
    expect(await ses().send(new GetAccountCommand({}))).toMatchObject(account);
    await ses('AKIDOTHER').send(email());
  });

  it.each<[string, Partial<SendEmailCommandInput>]>([
    ['a tag with a space', { EmailTags: [{ Name: 'mid', Value: 'a b' }] }],
    ['51 recipients', { Destination: { ToAddresses: Array.from({ length: 51 }, (_, n) => `t${n}@e.example`) } }],
    ['no recipient', { Destination: {} }],
    ['an address beyond ASCII', { FromEmailAddress: 'grüße@b.example' }],
    ['a mail without headers', { Content: { Raw: { Data: Buffer.from('Hello') } } }],
  ])('refuses %s', async (_, more) => {
    await expect(ses().send(email(more))).rejects.toMatchObject({ name: 'BadRequestException' });
  });

  it('knows the configuration sets that were created, each with its event destinations', async () => {
    const ConfigurationSetName = 'events';
    const unknown = {
      name: 'NotFoundException',
      message: 'Configuration set <events> does not exist.',
      $metadata: { httpStatusCode: 404 },
    };
    await expect(ses().send(email({ ConfigurationSetName }))).rejects.toMatchObject(unknown);
    await expect(ses().send(new GetConfigurationSetCommand({ ConfigurationSetName }))).rejects.toMatchObject(unknown);

    await ses().send(new CreateConfigurationSetCommand({ ConfigurationSetName }));
    await ses().send(
      new CreateConfigurationSetEventDestinationCommand({
        ConfigurationSetName,
        EventDestinationName: 'topic',
        EventDestination: {
          Enabled: true,
          MatchingEventTypes: ['BOUNCE', 'DELIVERY_DELAY'],
          SnsDestination: { TopicArn: 'arn:aws:sns:us-east-1:1:t' },
        },
      }),
    );
    await ses().send(email({ ConfigurationSetName }));
    const found = await ses().send(new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName }));
    expect(found.EventDestinations).toEqual([
      {
        Name: 'topic',
        Enabled: true,
        MatchingEventTypes: ['BOUNCE', 'DELIVERY_DELAY'],
        SnsDestination: { TopicArn: 'arn:aws:sns:us-east-1:1:t' },
      },
    ]);
    expect((await ses().send(new GetConfigurationSetCommand({ ConfigurationSetName }))).ConfigurationSetName).toBe(
      'events',
    );
  });

  it('takes an identity through its life', async () => {
    const EmailIdentity = 'example.com';
    const get = () => ses().send(new GetEmailIdentityCommand({ EmailIdentity }));
    const create = (accessKeyId = KEY) =>
      ses(accessKeyId).send(
        new CreateEmailIdentityCommand({
          EmailIdentity,
          DkimSigningAttributes: { NextSigningKeyLength: 'RSA_2048_BIT' },
        }),
      );
    await expect(get()).rejects.toMatchObject({ name: 'NotFoundException' });

    const { IdentityType, VerifiedForSendingStatus, DkimAttributes } = await create();
    expect({ IdentityType, VerifiedForSendingStatus }).toEqual({
      IdentityType: 'DOMAIN',
      VerifiedForSendingStatus: false,
    });
    expect(DkimAttributes!.Status).toBe('NOT_STARTED');
    expect(new Set(DkimAttributes!.Tokens).size).toBe(3);
    for (const token of DkimAttributes!.Tokens!) expect(token).toMatch(/^[a-z0-9]{32}$/);
    await expect(create()).rejects.toMatchObject({ name: 'AlreadyExistsException' });
    await create('AKIDOTHER');

    const attributes = { EmailIdentity, BehaviorOnMxFailure: 'REJECT_MESSAGE' as const };
    await expect(
      ses().send(new PutEmailIdentityMailFromAttributesCommand({ ...attributes, MailFromDomain: 'm.other.example' })),
    ).rejects.toMatchObject({ name: 'BadRequestException' });
    await ses().send(new PutEmailIdentityMailFromAttributesCommand({ ...attributes, MailFromDomain: 'm.example.com' }));
    expect(await get()).toMatchObject({
      VerificationStatus: 'PENDING',
      DkimAttributes: { Status: 'PENDING', Tokens: DkimAttributes!.Tokens },
      MailFromAttributes: {
        MailFromDomain: 'm.example.com',
        MailFromDomainStatus: 'PENDING',
        BehaviorOnMxFailure: 'REJECT_MESSAGE',
      },
    });

    const identity = aws.account(KEY).identities.get('Example.com');
    identity.verificationStatus = 'FAILED';
    identity.verificationError = 'HOST_NOT_FOUND';
    expect(await get()).toMatchObject({
      VerificationStatus: 'FAILED',
      VerificationInfo: { ErrorType: 'HOST_NOT_FOUND', LastCheckedTimestamp: expect.any(Date) },
    });

    identity.verificationStatus = 'SUCCESS';
    await expect(ses().send(email({ FromEmailAddress: 'Ada <a@example.com>' }))).rejects.toMatchObject({
      name: 'MailFromDomainNotVerifiedException',
    });
    aws.account(KEY).identities.verify('example.com');
    expect(await get()).toMatchObject({
      VerifiedForSendingStatus: true,
      VerificationStatus: 'SUCCESS',
      DkimAttributes: { Status: 'SUCCESS' },
      MailFromAttributes: { MailFromDomainStatus: 'SUCCESS' },
    });
    await ses().send(email({ FromEmailAddress: 'Ada <a@example.com>' }));

    await ses().send(new DeleteEmailIdentityCommand({ EmailIdentity }));
    await expect(get()).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(ses().send(new DeleteEmailIdentityCommand({ EmailIdentity }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
  });

  it('loses the answer to a mail that it took, by silence or by cutting the connection', async () => {
    aws.answer = () => 'hang';
    const waiting = new AbortController();
    const silent = ses().send(email(), { abortSignal: waiting.signal });
    await waitFor('the mail', () => aws.sent().length === 1);
    waiting.abort();
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });

    aws.answer = () => 'drop';
    await expect(ses().send(email())).rejects.toThrow('socket hang up');
    expect(aws.sent()).toHaveLength(2);
  });

  it('delays its responses as configured', async () => {
    aws.latencyMs = 150;
    await ses().send(email());
    expect(performance.now() - aws.sent()[0]!.receivedAt).toBeGreaterThanOrEqual(149);
  });

  it('counts its connections', async () => {
    const client = ses();
    await client.send(email());
    await client.send(email());
    expect(aws.connections).toEqual({ opened: 1, open: 1 });
    await Promise.all([client.send(email()), client.send(email())]);
    expect(aws.connections).toEqual({ opened: 2, open: 2 });
    client.destroy();
    await waitFor('the connections to close', () => aws.connections.open === 0);
    expect(aws.connections.opened).toBe(2);
  });
});
