import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { EventSources } from '../../provider-settings/index.js';
import { parseSmsReply } from '../domain/sms-reply.js';
import { HandleSnsNotification } from './handle-sns-notification.service.js';
import { readJsonObject } from './read-json.js';
import { type StoredReply, StoreReply } from './store-reply.service.js';
import type { SnsPost } from './verify-sns.service.js';

@Injectable()
export class ReceiveSmsReply {
  constructor(
    private readonly sources: EventSources,
    private readonly handleNotification: HandleSnsNotification,
    private readonly storeReply: StoreReply,
  ) {}

  /** Resolves when the reply is stored; to null if the post was about the subscription to the topic. */
  async receive(accountId: string, post: SnsPost): Promise<StoredReply | null> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    const notification = await this.handleNotification.handle(accountId, source.smsTopicArn, post);
    if (!notification) return null;
    const reply = parseSmsReply(readJsonObject(notification.message));
    if (!reply) throw DomainError.invalid('The message is no reply to an SMS');
    return this.storeReply.store(accountId, reply, notification.sentAt);
  }
}
