import { Injectable } from '@nestjs/common';

import { SnsNotifications } from '../aws/sns-notifications.js';
import type { PostContext, ProviderPost, ProviderReport, ReadsReports } from '../capabilities/reports.js';
import { readJsonObject } from '../events/read-json.js';
import { parseSesEvent } from './ses-event.js';

/** SES publishes this text, which is not JSON, once to each topic that it is given. */
const SET_UP_MESSAGE = /^Successfully validated SNS topic for Amazon SES\b/;

/** Posts of the SNS topic to which SES publishes the account's events. */
@Injectable()
export class SesReports implements ReadsReports {
  constructor(private readonly notifications: SnsNotifications) {}

  async read(post: ProviderPost, { accountId, settings }: PostContext): Promise<ProviderReport | null> {
    const notification = await this.notifications.read(accountId, settings.ses?.topicArn ?? null, post);
    if (!notification || SET_UP_MESSAGE.test(notification.message)) return null;
    const events = parseSesEvent(readJsonObject(notification.message));
    return { kind: 'events', provider: 'ses', events, singleUseToken: null };
  }
}
