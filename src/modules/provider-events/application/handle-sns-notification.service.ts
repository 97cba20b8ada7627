import type { IncomingHttpHeaders } from 'node:http';

import { Injectable, Logger } from '@nestjs/common';

import type { SnsMessage } from '../domain/sns-message.js';
import { SnsGateway } from './ports/sns-gateway.js';
import { VerifySns } from './verify-sns.service.js';

/** What a topic of Amazon SNS posts to its subscriber. */
@Injectable()
export class HandleSnsNotification {
  private readonly logger = new Logger(HandleSnsNotification.name);

  constructor(
    private readonly verifySns: VerifySns,
    private readonly gateway: SnsGateway,
  ) {}

  /** A notification that the topic made now; null for its other posts, of which a subscription confirms itself. */
  async take(
    accountId: string,
    topicArn: string | null,
    headers: IncomingHttpHeaders,
    raw: Buffer,
  ): Promise<SnsMessage | null> {
    const message = await this.verifySns.verify(topicArn, headers, raw);
    if (message.type === 'Notification') return message;
    if (message.type === 'SubscriptionConfirmation') await this.gateway.confirm(message.subscribeUrl ?? '');
    // Its SubscribeURL would subscribe again.
    else this.logger.warn(`The topic ${message.topicArn} of account ${accountId} is no longer subscribed`);
    return null;
  }
}
