import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventSources } from '../../provider-settings/index.js';
import { parseSesEvent } from '../domain/ses-event.js';
import { toAccountEvent } from './account-event.js';
import { HandleSnsNotification } from './handle-sns-notification.service.js';
import { readJsonObject } from './read-json.js';
import { type OnStored, StoreReports } from './store-reports.service.js';
import type { SnsPost } from './verify-sns.service.js';

/** SES publishes this text, which is not JSON, once to each topic that it is given. */
const SET_UP_MESSAGE = /^Successfully validated SNS topic for Amazon SES\b/;

@Injectable()
export class ReceiveSesEvents {
  constructor(
    private readonly sources: EventSources,
    private readonly handleNotification: HandleSnsNotification,
    private readonly storeReports: StoreReports,
    private readonly clock: Clock,
  ) {}

  /** Resolves when all events of the post are stored. Throws not found, forbidden or invalid. */
  async receive(accountId: string, post: SnsPost, onStored: OnStored): Promise<void> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    const notification = await this.handleNotification.handle(accountId, source.topicArn, post);
    if (!notification || SET_UP_MESSAGE.test(notification.message)) return;
    const now = this.clock.now();
    const events = parseSesEvent(readJsonObject(notification.message)).map((event) =>
      toAccountEvent(accountId, 'ses', event, now),
    );
    await this.storeReports.store({ accountId, events, singleUseToken: null }, onStored);
  }
}
