import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { ReadConsents } from '../../consent/index.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import type { Topic } from '../../topics/index.js';
import { takesPrecedence } from '../domain/suppression-precedence.js';
import { ChangePreferences, type Client } from './change-preferences.service.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

@Injectable()
export class Unsubscribe {
  constructor(
    private readonly messages: TimelineRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly consents: ReadConsents,
    private readonly preferences: ChangePreferences,
  ) {}

  /**
   * As by the button of a mail client (RFC 8058), idempotent: from the topic of the mail alone or, if it has none or
   * that was deleted, from everything. Returns the topic, or null.
   */
  async oneClick(target: UnsubscribeTarget, client: Client): Promise<Topic | null> {
    const topic = target.topicId === null ? null : await this.preferences.leaveTopic(target, client);
    if (!topic) await this.fromEverything(target, 'one_click', client);
    return topic;
  }

  /** Suppresses the address and withdraws its consent; idempotent. */
  async fromEverything(target: UnsubscribeTarget, source: 'one_click' | 'form', client: Client): Promise<void> {
    if (await this.isDone(target)) return;
    const { accountId, email, messageId: messageLogId } = target;
    const message = await this.findMessage(target);
    const { contactId = null, campaignId = null } = message ?? {};
    // The link holds the normalised address.
    const address = message && normaliseEmail(message.recipient) === email ? message.recipient : email;
    const cause = { accountId, channel: 'email', address, reason: 'unsubscribed', messageLogId } as const;
    await this.suppressAddresses.suppress([{ ...cause, ...client, source, contactId, campaignId }]);
  }

  /** Requests are often repeated. One that would change nothing does not wait for other writes. */
  private async isDone({ accountId, email, messageId }: UnsubscribeTarget): Promise<boolean> {
    const existing = await this.suppressions.find(accountId, 'email', email);
    if (!existing) return false;
    const oneClick = { reason: 'unsubscribed', source: 'one_click', messageLogId: messageId } as const;
    if (existing.address === '') return true;
    return !takesPrecedence(oneClick, existing) && (await this.consents.isWithdrawn(accountId, 'email', email));
  }

  /** Null if it is no longer stored. */
  private async findMessage({ accountId, messageId }: UnsubscribeTarget): Promise<ReportedMessage | null> {
    const [found] = await this.messages.find([{ accountId, channel: 'email', messageId, providerMessageId: null }]);
    return found?.message ?? null;
  }
}
