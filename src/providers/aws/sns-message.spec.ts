import { describe, expect, it } from '@jest/globals';

import { isCertificateUrl, isSubscribeUrl, parseSnsMessage } from './sns-message.js';

const PATH = `/SimpleNotificationService-${'0a'.repeat(16)}.pem`;

describe("A URL of SNS's certificates", () => {
  it.each([
    `https://sns.us-west-2.amazonaws.com${PATH}`,
    `https://SNS.us-west-2.amazonaws.com:443${PATH}`,
    `https://sns.cn-north-1.amazonaws.com.cn${PATH}`,
  ])('is %s', (url) => {
    expect(isCertificateUrl(url, [])).toBe(true);
  });

  it.each([
    `http://sns.us-west-2.amazonaws.com${PATH}`,
    `https://sns.us-west-2.amazonaws.com:444${PATH}`,
    `https://sns.us-west-2.amazonaws.com.evil.example${PATH}`,
    `https://sns.amazonaws.com${PATH}`,
    `https://sns.us.west.amazonaws.com${PATH}`,
    `https://user:password@sns.us-west-2.amazonaws.com${PATH}`,
    `https://sns.us-west-2.amazonaws.com${PATH}?x=1`,
    `https://sns.us-west-2.amazonaws.com${PATH}#x`,
    `https://sns.us-west-2.amazonaws.com/cert.pem`,
    `https://127.0.0.1${PATH}`,
    `file:///etc${PATH}`,
    '',
  ])('is not %j', (url) => {
    expect(isCertificateUrl(url, [])).toBe(false);
  });

  it('may be on an extra host: with TLS on the standard port, or on a loopback host without restrictions', () => {
    const hosts = ['sns.example', '127.0.0.1', '[::1]'];
    const accepted = (origin: string) => isCertificateUrl(origin + PATH, hosts);
    expect(['https://sns.example', 'http://127.0.0.1:4566', 'https://[::1]:1'].filter(accepted)).toHaveLength(3);
    const refused = [
      'http://sns.example',
      'https://sns.example:8443',
      'http://127.0.0.2',
      'http://localhost',
      'ftp://[::1]',
    ];
    expect(refused.filter(accepted)).toEqual([]);
  });
});

describe('A URL that confirms a subscription', () => {
  it('is on the same hosts, and does nothing else', () => {
    const origin = 'https://sns.us-west-2.amazonaws.com';
    expect(isSubscribeUrl(`${origin}/?Action=ConfirmSubscription&TopicArn=a&Token=b`, [])).toBe(true);
    expect(isSubscribeUrl(`${origin}/?Action=Unsubscribe&TopicArn=a`, [])).toBe(false);
    expect(isSubscribeUrl('https://evil.example/?Action=ConfirmSubscription', [])).toBe(false);
  });
});

describe('A message of SNS', () => {
  const message = {
    Type: 'Notification',
    MessageId: 'm',
    TopicArn: 't',
    Message: 'a\n"b"',
    Timestamp: '2026-11-21T07:00:00.000Z',
    SignatureVersion: '2',
    Signature: 'AAAA',
    SigningCertURL: 'u',
  };

  it('is signed over its named fields, including the subject if present', () => {
    const text =
      'Message\na\n"b"\nMessageId\nm\nTimestamp\n2026-11-21T07:00:00.000Z\nTopicArn\nt\nType\nNotification\n';
    expect(parseSnsMessage(message)).toMatchObject({ signedText: text, algorithm: 'RSA-SHA256' });
    expect(parseSnsMessage({ ...message, Subject: 's' })?.signedText).toContain('MessageId\nm\nSubject\ns\nTimestamp');
    const confirmation = { ...message, Type: 'UnsubscribeConfirmation', Token: 'k', SubscribeURL: 's' };
    expect(parseSnsMessage(confirmation)?.signedText).toMatch(
      /^Message\n.*\n.*\nMessageId\nm\nSubscribeURL\ns\nTimestamp/,
    );
  });

  it('must have all of them', () => {
    for (const name of ['Type', 'MessageId', 'TopicArn', 'Message', 'Timestamp', 'SignatureVersion'])
      expect(parseSnsMessage({ ...message, [name]: undefined })).toBeNull();
    expect(parseSnsMessage({ ...message, Subject: 7 })).toBeNull();
    expect(parseSnsMessage({ ...message, SignatureVersion: 'constructor' })).toBeNull();
    expect(parseSnsMessage({ ...message, Type: 'SubscriptionConfirmation' })).toBeNull();
  });
});
