import { verify, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { ConfirmSubscriptionCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { FakeAws } from '../../support/fake-aws/fake-aws.js';

let aws: FakeAws;

beforeAll(async () => {
  aws = await FakeAws.start();
});
afterEach(() => {
  aws.reset();
});
afterAll(() => aws.stop());

describe('Posts of the fake AWS', () => {
  let subscriber: Server;
  let url: string;
  const posts: { headers: IncomingHttpHeaders; body: string }[] = [];

  beforeAll(async () => {
    subscriber = createServer((request, response) => {
      void text(request).then((body) => {
        posts.push({ headers: request.headers, body });
        response.writeHead(202).end('taken');
      });
    });
    await once(subscriber.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(subscriber.address() as AddressInfo).port}/events`;
  });
  afterEach(() => {
    posts.length = 0;
  });
  afterAll(async () => {
    subscriber.closeAllConnections();
    await new Promise((resolve) => subscriber.close(resolve));
  });

  const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
  const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const lastEnvelope = () => JSON.parse(posts.at(-1)!.body) as Record<string, string>;
  const certificateOf = async ({ SigningCertURL }: Record<string, string>) =>
    new X509Certificate(await (await fetch(SigningCertURL!)).text());

  async function isGenuine(envelope: Record<string, string>): Promise<boolean> {
    const signed = (envelope.Type === 'Notification' ? NOTIFICATION : CONFIRMATION)
      .filter((name) => name in envelope)
      .map((name) => `${name}\n${envelope[name]}\n`)
      .join('');
    const algorithm = envelope.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    const { publicKey } = await certificateOf(envelope);
    return verify(algorithm, Buffer.from(signed), publicKey, Buffer.from(envelope.Signature!, 'base64'));
  }

  it.each(['1', '2'] as const)('signs notifications in version %s', async (signatureVersion) => {
    const message = { eventType: 'Send', mail: { messageId: 'Grüße\n"1"' } };
    expect(await aws.notify(url, message, { signatureVersion })).toEqual({ status: 202, body: 'taken' });
    const envelope = lastEnvelope();
    expect(JSON.parse(envelope.Message!)).toEqual(message);
    expect(envelope).toMatchObject({ Type: 'Notification', SignatureVersion: signatureVersion });
    expect(envelope).not.toHaveProperty('Subject');
    expect(posts[0]!.headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'user-agent': 'Amazon Simple Notification Service Agent',
      'x-amz-sns-message-type': 'Notification',
      'x-amz-sns-message-id': envelope.MessageId,
      'x-amz-sns-topic-arn': envelope.TopicArn,
      'x-amz-sns-subscription-arn': expect.stringContaining(envelope.TopicArn!),
    });
    expect(await isGenuine(envelope)).toBe(true);

    await aws.notify(url, 'Plain text', { signatureVersion, subject: 'Amazon SES Email Event Notification' });
    expect(lastEnvelope()).toMatchObject({ Message: 'Plain text', Subject: 'Amazon SES Email Event Notification' });
    expect(await isGenuine(lastEnvelope())).toBe(true);
  });

  it.each(['SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const)('signs a %s', async (type) => {
    await aws.notify(url, '', { type });
    const envelope = lastEnvelope();
    expect(envelope.Message).toContain('SubscribeURL included in this message');
    expect(envelope.SubscribeURL).toContain(envelope.Token);
    expect('x-amz-sns-subscription-arn' in posts[0]!.headers).toBe(type === 'UnsubscribeConfirmation');
    expect(await isGenuine(envelope)).toBe(true);
  });

  it('serves a certificate of its own, and one that has expired', async () => {
    await aws.notify(url, 'm');
    const envelope = lastEnvelope();
    expect(new URL(envelope.SigningCertURL!).pathname).toMatch(/^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/);
    const current = await certificateOf(envelope);
    expect(current.subject).toBe('CN=sns.amazonaws.com');
    expect(current.verify(current.publicKey)).toBe(true);
    expect(Date.parse(current.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(current.validTo)).toBeGreaterThan(Date.now());
    expect(aws.requests('GetSigningCertificate')).toBe(1);

    await aws.notify(url, 'm', { certificate: 'expired' });
    expect(await isGenuine(lastEnvelope())).toBe(true);
    expect(Date.parse((await certificateOf(lastEnvelope())).validTo)).toBeLessThan(Date.now());
    expect((await fetch(`${aws.url}/SimpleNotificationService-${'0'.repeat(32)}.pem`)).status).toBe(404);
  });

  it('forges', async () => {
    await aws.notify(url, 'true', { forged: { Message: 'false' } });
    expect(await isGenuine(lastEnvelope())).toBe(false);
    await aws.notify(url, 'm', { forged: { Signature: Buffer.alloc(256).toString('base64') } });
    expect(await isGenuine(lastEnvelope())).toBe(false);

    await aws.notify(url, 'm', { topicArn: 'arn:aws:sns:us-east-1:666:theirs', messageId: 'again' });
    expect(lastEnvelope()).toMatchObject({ TopicArn: 'arn:aws:sns:us-east-1:666:theirs', MessageId: 'again' });
    expect(await isGenuine(lastEnvelope())).toBe(true);

    const elsewhere = 'https://sns.us-east-1.amazonaws.com.example/SimpleNotificationService-1.pem';
    await aws.notify(url, 'm', { forged: { SigningCertURL: elsewhere } });
    expect(lastEnvelope().SigningCertURL).toBe(elsewhere);

    await aws.notify(url, 'm', { headers: { 'x-amz-sns-message-type': 'SubscriptionConfirmation' } });
    expect(posts.at(-1)!.headers['x-amz-sns-message-type']).toBe('SubscriptionConfirmation');
    expect(lastEnvelope().Type).toBe('Notification');

    const timestamp = new Date('2020-01-01T00:00:00Z');
    await aws.notify(url, 'm', { timestamp });
    expect(lastEnvelope().Timestamp).toBe('2020-01-01T00:00:00.000Z');

    await aws.notify(url, { eventType: 'Send' }, { raw: true });
    expect(posts.at(-1)!.body).toBe('{"eventType":"Send"}');
    expect(posts.at(-1)!.headers['x-amz-sns-rawdelivery']).toBe('true');
  });

  it('confirms a subscription by its URL or by a call in the region of the topic', async () => {
    const topicArn = 'arn:aws:sns:eu-west-1:123456789012:events';
    const confirm = (region: string, Token: string) =>
      new SNSClient({
        region,
        endpoint: aws.url,
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
        maxAttempts: 1,
      }).send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token }));
    for (let n = 0; n < 3; n++) await aws.notify(url, '', { type: 'SubscriptionConfirmation', topicArn });
    const [byUrl, byCall] = posts.map(({ body }) => JSON.parse(body) as { SubscribeURL: string; Token: string });

    const visit = await fetch(byUrl!.SubscribeURL);
    expect(visit.status).toBe(200);
    expect(await visit.text()).toContain(`<SubscriptionArn>${topicArn}:`);
    await expect(confirm('us-east-1', byCall!.Token)).rejects.toMatchObject({ message: 'Invalid parameter: Topic' });
    await expect(confirm('eu-west-1', 'unknown')).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect((await confirm('eu-west-1', byCall!.Token)).SubscriptionArn).toContain(topicArn);
    expect(aws.subscriptions().map(({ confirmed }) => confirmed)).toEqual([true, true, false]);
  });
});
