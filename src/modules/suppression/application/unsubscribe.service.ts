import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { ReadConsents } from '../../consent/index.js';
import { TimelineRepository } from '../../messages/index.js';
import { type Topic, TopicDirectory } from '../../topics/index.js';
import { takesPrecedence } from '../domain/suppression-precedence.js';
import { findMessage } from './find-message.js';
import { LeaveTopics } from './leave-topics.service.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';
import type { Client } from './record-preferences.service.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

@Injectable()
export class Unsubscribe {
  constructor(
    private readonly messages: TimelineRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly consents: ReadConsents,
    private readonly topics: TopicDirectory,
    private readonly leaveTopics: LeaveTopics,
  ) {}

  /**
   * Unsubscribes as with the button of a mail client (RFC 8058), idempotent: from the topic of the mail alone, also if
   * that was deleted, or from everything if it has none. Returns the topic, or null.
   */
  async oneClick(target: UnsubscribeTarget, client: Client): Promise<Topic | null> {
    const { accountId, topicId } = target;
    const topic = topicId === null ? null : await this.topics.find(accountId, topicId);
    if (topic) await this.fromTopic(target, topic.id, client);
    else await this.fromEverything(target, 'one_click', client);
    return topic;
  }

  /** Suppresses the address and withdraws its consent; idempotent. */
  async fromEverything(target: UnsubscribeTarget, source: 'one_click' | 'form', client: Client): Promise<void> {
    if (await this.isDone(target)) return;
    const { accountId, email, messageId: messageLogId } = target;
    const message = await findMessage(this.messages, target);
    const { contactId = null, campaignId = null } = message ?? {};
    // The link holds the normalised address.
    const address = message && normaliseEmail(message.recipient) === email ? message.recipient : email;
    const cause = { accountId, channel: 'email', address, reason: 'unsubscribed', messageLogId } as const;
    await this.suppressAddresses.suppress([{ ...cause, ...client, source, contactId, campaignId }]);
  }

  private async fromTopic(target: UnsubscribeTarget, topicId: string, client: Client): Promise<void> {
    const { accountId, email } = target;
    const existing = await this.suppressions.find(accountId, 'email', email);
    const earlier = await this.consents.withdrawal(accountId, 'email', email, topicId);
    if (existing?.address === '' || earlier === 'just_now') return;
    const campaignId = (await findMessage(this.messages, target))?.campaignId ?? null;
    await this.leaveTopics.leave({ target, topicId, campaignId, client, isRepeated: earlier === 'before' });
  }

  /** Requests are often repeated at once. One that would change nothing does not wait for other writes. */
  private async isDone({ accountId, email, messageId }: UnsubscribeTarget): Promise<boolean> {
    const existing = await this.suppressions.find(accountId, 'email', email);
    if (!existing) return false;
    const oneClick = { reason: 'unsubscribed', source: 'one_click', messageLogId: messageId } as const;
    if (existing.address === '') return true;
    if (takesPrecedence(oneClick, existing)) return false;
    return (await this.consents.withdrawal(accountId, 'email', email, null)) === 'just_now';
  }
}
