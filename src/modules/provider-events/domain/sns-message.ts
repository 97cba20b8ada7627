import { type Fields, textOf, timeOf } from './fields.js';

/** Of each kind, what is signed, in this order: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
} as const;

/** By the message's SignatureVersion. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);

/** What Amazon SNS posts, before it is proven. */
export interface SnsMessage {
  type: keyof typeof SIGNED;
  id: string;
  topicArn: string;
  message: string;
  sentAt: Date;
  /** Of confirmations. */
  subscribeUrl: string | null;
  /** The text that is signed, and how. */
  signedText: string;
  signature: Buffer;
  algorithm: string;
  certificateUrl: string;
}

/** Null for what lacks something that every message of SNS has. */
export function readSnsMessage(fields: Fields): SnsMessage | null {
  const { Type: type } = fields;
  if (type !== 'Notification' && type !== 'SubscriptionConfirmation' && type !== 'UnsubscribeConfirmation') return null;
  const sentAt = timeOf(fields.Timestamp);
  const algorithm = ALGORITHMS.get(textOf(fields.SignatureVersion) ?? '');
  const signed = SIGNED[type].filter((name) => name !== 'Subject' || fields.Subject !== undefined);
  if (!sentAt || !algorithm || signed.some((name) => typeof fields[name] !== 'string')) return null;
  const text = (name: string) => fields[name] as string;
  return {
    type,
    id: text('MessageId'),
    topicArn: text('TopicArn'),
    message: text('Message'),
    sentAt,
    subscribeUrl: textOf(fields.SubscribeURL),
    signedText: signed.map((name) => `${name}\n${text(name)}\n`).join(''),
    signature: Buffer.from(textOf(fields.Signature) ?? '', 'base64'),
    algorithm,
    certificateUrl: textOf(fields.SigningCertURL) ?? '',
  };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const AWS_HOST = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?$/;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;

/**
 * Whether an address in a message is Amazon's own, or on one of these further hosts; of those, loopback ones may be
 * without TLS and on any port.
 */
function isSnsUrl(text: string, furtherHosts: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (furtherHosts.includes(hostname) && LOOPBACK.test(hostname)) return protocol === 'https:' || protocol === 'http:';
  return protocol === 'https:' && port === '' && (AWS_HOST.test(hostname) || furtherHosts.includes(hostname));
}

export const isCertificateUrl = (text: string, furtherHosts: readonly string[]): boolean =>
  isSnsUrl(text, furtherHosts) && new URL(text).search === '' && CERTIFICATE_PATH.test(new URL(text).pathname);

export const isSubscribeUrl = (text: string, furtherHosts: readonly string[]): boolean =>
  isSnsUrl(text, furtherHosts) && new URL(text).searchParams.get('Action') === 'ConfirmSubscription';
