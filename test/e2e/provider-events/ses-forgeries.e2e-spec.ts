import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { selfSignedCertificate } from '../../support/fake-aws/certificate.js';
import type { PostOptions } from '../../support/fake-aws/sns-post.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';

const BOUNCE = sample<{ mail: { messageId: string } }>('ses/event-publishing-bounce-record.json');
const MINUTE = 60_000;
const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE);
const PATH = `/SimpleNotificationService-${'0'.repeat(32)}.pem`;

describe('A post that is not a valid message of SES', () => {
  let events: ProviderEvents;
  let account: TestAccount;
  let messageId: string;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await events.openAccount();
    messageId = await events.addMessage(account, { providerMessageId: BOUNCE.mail.messageId });
  });
  /** Checks that the post has changed nothing. */
  afterEach(async () => {
    expect(await events.state(account, messageId)).toMatchObject({ status: 'sent', events: [] });
    expect(await events.suppressions(account)).toEqual([]);
    expect(await events.unmatched(account)).toEqual([]);
  });

  async function refuses(options: PostOptions, status = 403, message: string | object = BOUNCE): Promise<void> {
    const answer = await events.postSes(account, message, options);
    expect({ status: answer.status, error: JSON.parse(answer.body).statusCode }).toEqual({ status, error: status });
  }

  it.each<[string, PostOptions]>([
    ['an altered message', { forged: { Message: JSON.stringify({ ...BOUNCE, eventType: 'Complaint' }) } }],
    ['a signature of nothing', { forged: { Signature: Buffer.alloc(256).toString('base64') } }],
    ['no signature', { forged: { Signature: '' } }],
    ['a subject that was put in', { forged: { Subject: 'Hello' } }],
    ['a version that the signature is not of', { signatureVersion: '2', forged: { SignatureVersion: '1' } }],
    ['an unknown version', { forged: { SignatureVersion: '3' } }],
    ['another topic', { topicArn: 'arn:aws:sns:us-east-1:666666666666:theirs' }],
    ['an expired certificate', { certificate: 'expired' }],
    ['a certificate that is not valid yet', { certificate: 'future' }],
    ['a message of three hours ago', { timestamp: fromNow(-180) }],
    ['a message of tomorrow', { timestamp: fromNow(24 * 60) }],
    ['another type in the header', { headers: { 'x-amz-sns-message-type': 'UnsubscribeConfirmation' } }],
    ['another id in the header', { headers: { 'x-amz-sns-message-id': 'other' } }],
    ['raw delivery', { raw: true }],
    ['raw delivery of an envelope', { headers: { 'x-amz-sns-rawdelivery': 'true' } }],
  ])('is refused: %s', async (_, options) => {
    await refuses(options);
  });

  it('is refused if the account has no topic', async () => {
    await account
      .asAdmin('patch', '/api/settings')
      .send({ ses: { topicArn: null } })
      .expect(200);
    await refuses({});
  });

  it('does not confirm a subscription: another topic, an altered URL, a foreign URL', async () => {
    const type = 'SubscriptionConfirmation';
    await refuses({ type, topicArn: 'arn:aws:sns:us-east-1:666666666666:theirs' }, 403, '');
    await refuses({ type, forged: { SubscribeURL: `${events.aws.url}/?Action=ConfirmSubscription&Token=x` } }, 403, '');
    expect(events.aws.requests('ConfirmSubscription')).toBe(0);
  });

  it.each([
    'https://sns.us-east-1.amazonaws.com.evil.example',
    'https://evil.example',
    'https://evil.example/sns.us-east-1.amazonaws.com',
    'http://sns.us-east-1.amazonaws.com',
    'https://sns.us-east-1.amazonaws.com:8443',
    'https://user@sns.us-east-1.amazonaws.com',
    'https://s3.us-east-1.amazonaws.com',
    'https://sns.us-east-1.amazonaws.com@127.0.0.1',
    'http://localhost:1',
  ])('does not make the service fetch a certificate from %s', async (origin) => {
    await refuses({ forged: { SigningCertURL: origin + PATH } });
  });

  it('does not make the service fetch a certificate from another path of SNS', async () => {
    for (const path of ['/cert.pem', '/a/../cert.pem', `${PATH}?x`, `${PATH}#x`, `/x${PATH}`, '', ' '])
      await refuses({ forged: { SigningCertURL: events.aws.url + path } });
    expect(events.aws.requests('GetSigningCertificate')).toBe(0);
    await refuses({ forged: { SigningCertURL: events.aws.url + PATH } });
    await refuses({ forged: { SigningCertURL: 'no address' } });
  });

  describe('with a certificate from another URL of the allowed host', () => {
    let server: Server;
    let serve: RequestListener;
    let asked: string[];

    beforeAll(async () => {
      server = createServer((request, response) => {
        asked.push(request.url ?? '');
        serve(request, response);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
    });
    beforeEach(() => {
      asked = [];
    });
    afterAll(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const url = () => {
      const { port } = server.address() as AddressInfo;
      return `http://127.0.0.1:${port}/SimpleNotificationService-${randomBytes(16).toString('hex')}.pem`;
    };

    it.each<[string, RequestListener, number]>([
      ['redirects', (_, response) => response.writeHead(302, { location: `/elsewhere` }).end(), 403],
      ['has nothing there', (_, response) => response.writeHead(404).end(), 403],
      ['gives no certificate', (_, response) => response.end('-----BEGIN CERTIFICATE-----\nAAAA\n'), 403],
      ['gives a key alone', (_, response) => response.end(publicKeyPem()), 403],
      [
        'never ends',
        (_, response) => {
          flood(response);
        },
        403,
      ],
      ['is in trouble', (_, response) => response.writeHead(500).end(), 503],
      ['hangs up', (request) => request.socket.destroy(), 503],
    ])('which %s', async (_, listener, status) => {
      serve = listener;
      await refuses({ forged: { SigningCertURL: url() } }, status);
      expect(asked).toHaveLength(1);
    });

    it('does not evict the certificates of genuine posts', async () => {
      const isTaken = async () => (await events.postSes(account, { eventType: 'Teleported' })).status === 200;
      expect(await isTaken()).toBe(true);
      const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const pem = selfSignedCertificate(keys, 'x', { notBefore: fromNow(-1), notAfter: fromNow(60) });
      serve = (_, response) => response.end(pem);
      for (let i = 0; i < 60; i++) await refuses({ forged: { SigningCertURL: url(), Signature: 'AAAA' } });
      const before = events.aws.requests('GetSigningCertificate');
      expect(await isTaken()).toBe(true);
      expect(events.aws.requests('GetSigningCertificate')).toBe(before);
      await events.service.query('DELETE FROM unmatched_events');
    });

    it('fetches a certificate once for many posts', async () => {
      serve = (_, response) => response.writeHead(404).end();
      const forged = { SigningCertURL: url() };
      await Promise.all(Array.from({ length: 10 }, () => refuses({ forged })));
      expect(asked).toHaveLength(1);
    });
  });

  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${events.service.url}/api/provider-events/ses/${account.id}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body,
    });

  it.each(['', '{', '[]', 'null', '"text"', 'Hello', '{"Type":"Notification",'])(
    'is not a JSON object: %j',
    async (body) => {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual(errorBody(400, expect.stringMatching(/JSON/) as unknown as string));
    },
  );

  it('contains a notification that is not JSON', async () => {
    await refuses({}, 400, '{"eventType":');
  });

  it('is not UTF-8', async () => {
    expect((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  });

  it('is larger than 1 MB', async () => {
    const response = await post(`{"Message":"${'x'.repeat(5_000_000)}"}`);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(errorBody(413, 'The body is larger than 1 MB'));
  });

  it('is JSON without a signature', async () => {
    for (const body of ['{}', '{"Type":"Notification"}', '{"Type":"__proto__"}', JSON.stringify(BOUNCE)])
      expect((await post(body)).status).toBe(403);
  });
});

const publicKeyPem = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });

function flood(response: NodeJS.WritableStream & { destroyed?: boolean }): void {
  const write = () => {
    if (response.destroyed) return;
    if (response.write(Buffer.alloc(65_536, 'A'))) setImmediate(write);
    else response.once('drain', write);
  };
  response.once('close', () => response.removeAllListeners('drain'));
  write();
}
