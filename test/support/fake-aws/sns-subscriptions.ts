import { randomUUID } from 'node:crypto';

import type { AwsCall } from './aws-call.js';
import { AwsError } from './aws-error.js';
import type { Journal } from './journal.js';
import { element } from './xml.js';

/** A token that confirms one subscription to the topic. */
export function newSubscriptionToken(journal: Journal, topicArn: string): string {
  const token = `2336412f37${randomUUID().replaceAll('-', '')}`;
  journal.subscriptions.push({ token, topicArn, subscriptionArn: `${topicArn}:${randomUUID()}`, confirmed: false });
  return token;
}

/** Both the signed call and the visit of a SubscribeURL, which has no region; confirming again changes nothing. */
export function confirmSubscription({ request, journal }: AwsCall): string {
  const { Token, TopicArn } = request.parameters as { Token?: string; TopicArn?: string };
  const subscription = journal.subscriptions.find(({ token }) => token === Token);
  if (!subscription) throw new AwsError(400, 'InvalidParameter', 'Invalid parameter: Token');
  const region = subscription.topicArn.split(':')[3];
  if (TopicArn !== subscription.topicArn || (request.region && request.region !== region)) {
    throw new AwsError(400, 'InvalidParameter', 'Invalid parameter: Topic');
  }
  subscription.confirmed = true;
  return element('SubscriptionArn', subscription.subscriptionArn);
}
