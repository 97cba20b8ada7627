import { randomUUID } from 'node:crypto';

import { type Journal } from './journal.js';
import type { Signing } from './signing.js';
import { newSubscriptionToken } from './sns-subscriptions.js';

/** The default topic of posted envelopes. */
export const TOPIC_ARN = 'arn:aws:sns:us-east-1:123456789012:ses-events';

export interface PostOptions {
  /** `Notification` unless given; the other two have a text of AWS's own instead of an empty message. */
  type?: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  topicArn?: string;
  /** The same one again is what a retry has. */
  messageId?: string;
  subject?: string;
  timestamp?: Date;
  signatureVersion?: '1' | '2';
  certificate?: 'current' | 'expired' | 'future';
  /** Put in after signing, over what is there: a `Message` or `Signature` so forged does not verify. */
  forged?: Record<string, string>;
  /** Put in last, in lower case: a message type that differs from the body's. */
  headers?: Record<string, string>;
  /** The message alone and no signature. */
  raw?: boolean;
}

interface Post {
  headers: Record<string, string>;
  body: string;
}

/** What SNS posts: https://docs.aws.amazon.com/sns/latest/dg/http-header.html */
export function composePost(
  message: string | object,
  options: PostOptions,
  { origin, signing, journal }: { origin: string; signing: Signing; journal: Journal },
): Post {
  const { type = 'Notification', topicArn = TOPIC_ARN, messageId = randomUUID(), timestamp = new Date() } = options;
  const subscriptionArn = `${topicArn}:c9135db0-26c4-47ec-8998-413945fb5a96`;
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'user-agent': 'Amazon Simple Notification Service Agent',
    'x-amz-sns-message-type': type,
    'x-amz-sns-message-id': messageId,
    'x-amz-sns-topic-arn': topicArn,
    ...(type === 'SubscriptionConfirmation' ? {} : { 'x-amz-sns-subscription-arn': subscriptionArn }),
    ...(options.raw ? { 'x-amz-sns-rawdelivery': 'true' } : {}),
    ...options.headers,
  };
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  if (options.raw) return { headers, body: text };

  const common = { Type: type, MessageId: messageId, TopicArn: topicArn, Timestamp: timestamp.toISOString() };
  const envelope: Record<string, string> =
    type === 'Notification'
      ? { ...common, ...(options.subject ? { Subject: options.subject } : {}), Message: text }
      : { ...common, Message: text || CONFIRMATIONS[type](topicArn), ...subscribing(origin, journal, topicArn) };
  const version = options.signatureVersion ?? '1';
  const path = signing[`${options.certificate ?? 'current'}Path`];
  const signed = {
    ...envelope,
    SignatureVersion: version,
    Signature: signing.sign(envelope, version),
    SigningCertURL: origin + path,
    ...(type === 'Notification'
      ? { UnsubscribeURL: `${origin}/?Action=Unsubscribe&SubscriptionArn=${subscriptionArn}` }
      : {}),
    ...options.forged,
  };
  return { headers, body: JSON.stringify(signed, null, 2) };
}

const CONFIRMATIONS = {
  SubscriptionConfirmation: (topicArn: string) =>
    `You have chosen to subscribe to the topic ${topicArn}.\n` +
    'To confirm the subscription, visit the SubscribeURL included in this message.',
  UnsubscribeConfirmation: (topicArn: string) =>
    `You have chosen to deactivate subscription ${topicArn}.\n` +
    'To cancel this operation and restore the subscription, visit the SubscribeURL included in this message.',
};

function subscribing(origin: string, journal: Journal, topicArn: string): { Token: string; SubscribeURL: string } {
  const token = newSubscriptionToken(journal, topicArn);
  const query = `Action=ConfirmSubscription&TopicArn=${topicArn}&Token=${token}`;
  return { Token: token, SubscribeURL: `${origin}/?${query}` };
}
