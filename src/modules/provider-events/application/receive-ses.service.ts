import type { IncomingHttpHeaders } from 'node:http';

import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventSources } from '../../accounts/index.js';
import { parseSesEvent } from '../domain/ses-event.js';
import type { SnsMessage } from '../domain/sns-message.js';
import { toAccountEvent } from './account-event.js';
import { EventIntake } from './ports/event-intake.js';
import { SnsGateway } from './ports/sns-gateway.js';
import { readJsonObject } from './read-json.js';
import { VerifySns } from './verify-sns.service.js';

/** SES publishes it once to each topic, as text, when the topic is attached. */
const SET_UP_MESSAGE = /^Successfully validated SNS topic for Amazon SES\b/;

@Injectable()
export class ReceiveSes {
  private readonly logger = new Logger(ReceiveSes.name);

  constructor(
    private readonly sources: EventSources,
    private readonly verifySns: VerifySns,
    private readonly gateway: SnsGateway,
    private readonly intake: EventIntake,
    private readonly clock: Clock,
  ) {}

  /** Resolves when everything that the post says is stored. */
  async receive(accountId: string, headers: IncomingHttpHeaders, raw: Buffer): Promise<void> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    const message = await this.verifySns.verify(source.topicArn, headers, raw);
    if (message.type === 'Notification') await this.takeNotification(accountId, message);
    else if (message.type === 'SubscriptionConfirmation') await this.gateway.confirm(message.subscribeUrl ?? '');
    // Its SubscribeURL would subscribe again.
    else this.logger.warn(`The topic ${message.topicArn} of account ${accountId} is no longer subscribed`);
  }

  private async takeNotification(accountId: string, { message }: SnsMessage): Promise<void> {
    if (SET_UP_MESSAGE.test(message)) return;
    const now = this.clock.now();
    const events = parseSesEvent(readJsonObject(message)).map((event) => toAccountEvent(accountId, 'ses', event, now));
    await this.intake.take({ accountId, events, onceToken: null });
  }
}
