import { Injectable } from '@nestjs/common';

import { AccountDirectory } from '../../accounts/index.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import { takesPrecedence } from '../domain/suppression-precedence.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

/** What the page shows: the address, and whose mail it unsubscribes from. */
export interface UnsubscribeRequest {
  email: string;
  accountName: string;
}

@Injectable()
export class Unsubscribe {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly accounts: AccountDirectory,
    private readonly messages: TimelineRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly suppressAddresses: SuppressAddresses,
  ) {}

  /** Changes nothing, because mail scanners follow links. Null for an unknown token or an account that was deleted. */
  async find(token: string): Promise<UnsubscribeRequest | null> {
    const target = this.links.read(token);
    return target && this.describe(target);
  }

  /**
   * Suppresses the address; idempotent. Does nothing and returns null if `find` returns null. Calls `readSource` for a
   * valid token only, so that other bodies are not parsed.
   */
  async confirm(token: string, readSource: () => 'one_click' | 'form'): Promise<UnsubscribeRequest | null> {
    const target = this.links.read(token);
    const request = target && (await this.describe(target));
    if (!target || !request) return null;
    if (await this.isDone(target)) return request;
    const { accountId, email: address, messageId: messageLogId } = target;
    const { contactId = null, campaignId = null } = (await this.findMessage(target)) ?? {};
    const cause = { accountId, channel: 'email', address, reason: 'unsubscribed', messageLogId } as const;
    await this.suppressAddresses.suppress([{ ...cause, source: readSource(), contactId, campaignId }]);
    return request;
  }

  /** Requests are often repeated. One that would change nothing does not wait for other writes. */
  private async isDone({ accountId, email, messageId }: UnsubscribeTarget): Promise<boolean> {
    const existing = await this.suppressions.find(accountId, 'email', email);
    if (!existing) return false;
    const oneClick = { reason: 'unsubscribed', source: 'one_click', messageLogId: messageId } as const;
    return existing.address === '' || !takesPrecedence(oneClick, existing);
  }

  private async describe({ accountId, email }: UnsubscribeTarget): Promise<UnsubscribeRequest | null> {
    const accountName = await this.accounts.findName(accountId);
    return accountName === null ? null : { email, accountName };
  }

  /** Null if it is no longer stored. */
  private async findMessage({ accountId, messageId }: UnsubscribeTarget): Promise<ReportedMessage | null> {
    const [found] = await this.messages.find([{ accountId, channel: 'email', messageId, providerMessageId: null }]);
    return found?.message ?? null;
  }
}
