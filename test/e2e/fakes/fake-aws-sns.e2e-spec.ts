import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  GetSMSSandboxAccountStatusCommand,
  ListOriginationNumbersCommand,
  ListPhoneNumbersOptedOutCommand,
  ListSMSSandboxPhoneNumbersCommand,
  PublishCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { FakeAws } from '../../support/fake-aws/fake-aws.js';

const KEY = 'AKIDEXAMPLE';

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

describe('SNS of the fake AWS', () => {
  let sns: SNSClient;
  beforeAll(() => {
    sns = new SNSClient(settings());
  });
  afterAll(() => {
    sns.destroy();
  });

  it('refuses what cannot be sent, and what it is configured to refuse', async () => {
    await expect(sns.send(new PublishCommand({ PhoneNumber: '+1', Message: 'Hi' }))).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'Invalid parameter: PhoneNumber Reason: +1 is not valid to publish to',
    });
    const long = new PublishCommand({ PhoneNumber: '+14255550100', Message: 'é'.repeat(1_601) });
    await expect(sns.send(long)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    aws.answer = () => ({ status: 429, error: 'Throttled', message: 'Rate exceeded' });
    await expect(sns.send(new ListPhoneNumbersOptedOutCommand({}))).rejects.toMatchObject({
      name: 'ThrottledException',
      message: 'Rate exceeded',
    });
  });

  it('returns the sandbox status, its numbers and the origination numbers', async () => {
    const { sms } = aws.account(KEY);
    expect((await sns.send(new GetSMSSandboxAccountStatusCommand({}))).IsInSandbox).toBe(false);
    sms.sandbox = true;
    sms.sandboxNumbers.set('+14255550101', 'Verified').set('+14255550102', 'Pending');
    sms.originationNumbers.push({
      phoneNumber: '+12065550100',
      country: 'US',
      routeType: 'Transactional',
      capabilities: ['SMS', 'VOICE'],
    });
    expect((await sns.send(new GetSMSSandboxAccountStatusCommand({}))).IsInSandbox).toBe(true);
    const first = await sns.send(new ListSMSSandboxPhoneNumbersCommand({ MaxResults: 1 }));
    expect(first.PhoneNumbers).toEqual([{ PhoneNumber: '+14255550101', Status: 'Verified' }]);
    const second = await sns.send(new ListSMSSandboxPhoneNumbersCommand({ NextToken: first.NextToken }));
    expect(second).toMatchObject({ PhoneNumbers: [{ PhoneNumber: '+14255550102', Status: 'Pending' }] });
    expect(second.NextToken).toBeUndefined();
    expect((await sns.send(new ListOriginationNumbersCommand({ MaxResults: 30 }))).PhoneNumbers).toMatchObject([
      { PhoneNumber: '+12065550100', RouteType: 'Transactional', NumberCapabilities: ['SMS', 'VOICE'] },
    ]);
  });
});

describe('Credentials of the fake AWS', () => {
  const publish = () => new PublishCommand({ PhoneNumber: '+14255550100', Message: 'Hi' });

  it.each([
    ['unknown', 'UnrecognizedClientException', 'InvalidClientTokenId'],
    ['expired', 'ExpiredTokenException', 'ExpiredToken'],
    ['denied', 'AccessDeniedException', 'AuthorizationErrorException'],
  ] as const)('refuses a key that is %s', async (state, sesName, snsName) => {
    aws.admission.keyState = (key) => (key === 'AKIDBAD' ? state : 'valid');
    const ses = new SESv2Client(settings('AKIDBAD'));
    const sns = new SNSClient(settings('AKIDBAD'));
    const $metadata = { httpStatusCode: 403 };
    await expect(ses.send(new GetAccountCommand({}))).rejects.toMatchObject({ name: sesName, $metadata });
    await expect(sns.send(publish())).rejects.toMatchObject({ name: snsName, $metadata });
    await new SNSClient(settings()).send(publish());
    expect(aws.published()).toHaveLength(1);
  });

  it('refuses a region that is not configured', async () => {
    aws.admission.regions = ['eu-west-1'];
    const $metadata = { httpStatusCode: 403 };
    await expect(new SESv2Client(settings()).send(new GetAccountCommand({}))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      $metadata,
    });
    await expect(new SNSClient(settings()).send(publish())).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
      $metadata,
    });
    await new SESv2Client(settings(KEY, 'eu-west-1')).send(new GetAccountCommand({}));
  });

  it('refuses requests without a signature, and unknown operations', async () => {
    const unsigned = await fetch(`${aws.url}/v2/email/account`);
    expect(unsigned.status).toBe(403);
    expect(unsigned.headers.get('x-amzn-errortype')).toBe('MissingAuthenticationTokenException');
    const authorization = `AWS4-HMAC-SHA256 Credential=${KEY}/20261121/us-east-1/ses/aws4_request, SignedHeaders=host`;
    expect((await fetch(`${aws.url}/v2/email/tenants`, { headers: { authorization } })).status).toBe(404);
    expect((await fetch(aws.url, { method: 'POST', body: 'Action=Publish', headers: { authorization } })).status).toBe(
      403,
    );
  });
});
