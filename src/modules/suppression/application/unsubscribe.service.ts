import { Injectable } from '@nestjs/common';

import { AccountDirectory } from '../../accounts/index.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import { isAtLeastUnsubscribed } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

/** What the holder of a link is told: which address, and whose mail. */
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

  /** Changes nothing: mail scanners follow links. Null for a token that is not ours, or of an account that is gone. */
  async find(token: string): Promise<UnsubscribeRequest | null> {
    const target = this.links.read(token);
    return target && this.describe(target);
  }

  /**
   * Suppresses the address; idempotent. Returns null and suppresses nothing if `find` returns null. Calls `readSource`
   * only for a valid token, so that the body of a stranger is not parsed.
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

  /** Mail clients and people repeat themselves: what would change nothing need not wait for what is being written. */
  private async isDone({ accountId, email, messageId }: UnsubscribeTarget): Promise<boolean> {
    const standing = await this.suppressions.find(accountId, 'email', email);
    return standing !== null && isAtLeastUnsubscribed(standing, messageId);
  }

  private async describe({ accountId, email }: UnsubscribeTarget): Promise<UnsubscribeRequest | null> {
    const account = await this.accounts.find(accountId);
    return account && { email, accountName: account.name };
  }

  /** Null where it is no longer kept. */
  private async findMessage({ accountId, messageId }: UnsubscribeTarget): Promise<ReportedMessage | null> {
    const [found] = await this.messages.find([{ accountId, channel: 'email', messageId, providerMessageId: null }]);
    return found?.message ?? null;
  }
}
