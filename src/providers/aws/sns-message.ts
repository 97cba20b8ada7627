import { parseUrl } from '../../shared/parse-url.js';
import { type Fields, textOf, timeOf } from '../events/fields.js';

/**
 * The signed fields of each type, in this order:
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
} as const;

/** The hash algorithms by SignatureVersion. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);

/** A post of Amazon SNS, before its signature is verified. */
export interface SnsMessage {
  type: keyof typeof SIGNED;
  id: string;
  topicArn: string;
  message: string;
  sentAt: Date;
  /** Set for confirmations only. */
  subscribeUrl: string | null;
  /** The text that the signature covers. */
  signedText: string;
  signature: Buffer;
  algorithm: string;
  certificateUrl: string;
}

/** Returns null unless all fields of an SNS message are present. */
export function parseSnsMessage(fields: Fields): SnsMessage | null {
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

/** Whether a URL is one of Amazon SNS or of the extra hosts. Extra loopback hosts may use plain HTTP and any port. */
function isSnsUrl(text: string, extraHosts: readonly string[]): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, hostname, port, username, password, hash } = url;
  if (username !== '' || password !== '' || hash !== '') return false;
  if (extraHosts.includes(hostname) && LOOPBACK.test(hostname)) return protocol === 'https:' || protocol === 'http:';
  return protocol === 'https:' && port === '' && (AWS_HOST.test(hostname) || extraHosts.includes(hostname));
}

export const isCertificateUrl = (text: string, extraHosts: readonly string[]): boolean =>
  isSnsUrl(text, extraHosts) && new URL(text).search === '' && CERTIFICATE_PATH.test(new URL(text).pathname);

export const isSubscribeUrl = (text: string, extraHosts: readonly string[]): boolean =>
  isSnsUrl(text, extraHosts) && new URL(text).searchParams.get('Action') === 'ConfirmSubscription';
