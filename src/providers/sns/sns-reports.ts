import { Injectable } from '@nestjs/common';

import { DomainError } from '../../shared/domain-error.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import { SnsNotifications } from '../aws/sns-notifications.js';
import type { PostContext, ProviderPost, ProviderReport, ReadsReports } from '../capabilities/reports.js';
import { readSigned } from '../events/event-vendor.js';
import { readJsonObject } from '../events/read-json.js';
import { SnsReceiptVendor } from './sns-receipt-vendor.js';
import { snsFieldsOf } from './sns-settings.js';
import { parseSmsReply } from './two-way-sms.js';

const PROVIDER = 'sns';
const RECEIPTS = new SnsReceiptVendor();

/**
 * Reads posts of the SNS topic to which replies are published, and signed posts of a forwarder of delivery receipts.
 */
@Injectable()
export class SnsReports implements ReadsReports {
  constructor(
    private readonly notifications: SnsNotifications,
    private readonly secrets: SecretBox,
  ) {}

  async read(post: ProviderPost, { accountId, settings, now }: PostContext): Promise<ProviderReport | null> {
    const sns = settings.sms && snsFieldsOf(settings.sms);
    if (post.headers['x-signature'] !== undefined) {
      const sealed = sns?.sealedEventSigningKey;
      return readSigned(PROVIDER, RECEIPTS, sealed ? this.secrets.open(sealed) : null, post, now);
    }
    const notification = await this.notifications.read(accountId, sns?.topicArn ?? null, post);
    if (!notification) return null;
    const reply = parseSmsReply(readJsonObject(notification.message));
    if (!reply) throw DomainError.invalid('The message is no reply to an SMS');
    const isToOwnNumber = reply.to === settings.sms?.originationNumber;
    return { kind: 'reply', provider: PROVIDER, reply, isToOwnNumber, sentAt: notification.sentAt };
  }
}
