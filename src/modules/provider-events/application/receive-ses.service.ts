import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventSources } from '../../provider-settings/index.js';
import { parseSesEvent } from '../domain/ses-event.js';
import { toAccountEvent } from './account-event.js';
import { EventIntake } from './ports/event-intake.js';
import { readJsonObject } from './read-json.js';
import { HandleSnsNotification } from './handle-sns-notification.service.js';

/** SES publishes it once to each topic, as text, when the topic is attached. */
const SET_UP_MESSAGE = /^Successfully validated SNS topic for Amazon SES\b/;

@Injectable()
export class ReceiveSes {
  constructor(
    private readonly sources: EventSources,
    private readonly takeNotification: HandleSnsNotification,
    private readonly intake: EventIntake,
    private readonly clock: Clock,
  ) {}

  /** Resolves when everything that the post says is stored. */
  async receive(accountId: string, headers: IncomingHttpHeaders, raw: Buffer): Promise<void> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    const notification = await this.takeNotification.take(accountId, source.topicArn, headers, raw);
    if (!notification || SET_UP_MESSAGE.test(notification.message)) return;
    const now = this.clock.now();
    const events = parseSesEvent(readJsonObject(notification.message)).map((event) =>
      toAccountEvent(accountId, 'ses', event, now),
    );
    await this.intake.take({ accountId, events, onceToken: null });
  }
}
