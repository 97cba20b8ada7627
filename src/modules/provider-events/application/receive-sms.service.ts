import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { EventSources } from '../../provider-settings/index.js';
import { readSmsReply } from '../domain/sms-reply.js';
import { readJsonObject } from './read-json.js';
import { ReceiveVendor } from './receive-vendor.service.js';
import { type StoredReply, StoreReply } from './store-reply.service.js';
import { HandleSnsNotification } from './handle-sns-notification.service.js';

/** Of SMS, two kinds of posts: replies from a topic of SNS, and receipts that somebody forwards out of its log. */
@Injectable()
export class ReceiveSms {
  constructor(
    private readonly sources: EventSources,
    private readonly takeNotification: HandleSnsNotification,
    private readonly storeReply: StoreReply,
    private readonly receiveVendor: ReceiveVendor,
  ) {}

  /** Resolves when everything that the post says is stored; null unless that was a reply. */
  async receive(accountId: string, headers: IncomingHttpHeaders, raw: Buffer): Promise<StoredReply | null> {
    if (headers['x-signature'] !== undefined) {
      await this.receiveVendor.receiveReceipts(accountId, headers, raw);
      return null;
    }
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    const notification = await this.takeNotification.take(accountId, source.smsTopicArn, headers, raw);
    if (!notification) return null;
    const reply = readSmsReply(readJsonObject(notification.message));
    if (!reply) throw DomainError.invalid('The message is no reply to an SMS');
    return this.storeReply.store(accountId, reply, notification.sentAt);
  }
}
