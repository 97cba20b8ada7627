import { Injectable, Logger } from '@nestjs/common';

import type { SnsMessage } from '../domain/sns-message.js';
import { SnsGateway } from './ports/sns-gateway.js';
import { type SnsPost, VerifySns } from './verify-sns.service.js';

@Injectable()
export class HandleSnsNotification {
  private readonly logger = new Logger(HandleSnsNotification.name);

  constructor(
    private readonly verifySns: VerifySns,
    private readonly gateway: SnsGateway,
  ) {}

  /** Returns a verified notification of the topic. Returns null for other posts, and confirms a subscription. */
  async handle(accountId: string, topicArn: string | null, post: SnsPost): Promise<SnsMessage | null> {
    const message = await this.verifySns.verify(topicArn, post);
    if (message.type === 'Notification') return message;
    if (message.type === 'SubscriptionConfirmation') await this.gateway.confirm(message.subscribeUrl ?? '');
    // Its SubscribeURL is not followed: that would subscribe again.
    else this.logger.warn(`The topic ${message.topicArn} of account ${accountId} is no longer subscribed`);
    return null;
  }
}
