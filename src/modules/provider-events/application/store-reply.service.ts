import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import { SuppressAddresses } from '../../suppression/index.js';
import type { SmsReply } from '../domain/sms-reply.js';
import { Replies } from './ports/replies.js';
import { SMS_PROVIDER } from './account-event.js';

export interface StoredReply {
  outcome: 'recorded' | 'known';
  provider: string;
  providerMessageId: string;
  previousMessageLogId: string | null;
  isStop: boolean;
}

@Injectable()
export class StoreReply {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly ledger: TimelineRepository,
    private readonly replies: Replies,
    private readonly outbox: Outbox,
    private readonly suppressions: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps the reply, tells the account's systems of it and, where it is a stop word, suppresses its sender at once; all or
   * nothing, and once, however often it is reported. A suppression that was lifted does not come back with a repeat.
   */
  async store(accountId: string, reply: SmsReply, receivedAt: Date): Promise<StoredReply> {
    return this.transactions.run(async () => {
      const message = await this.findAnswered(accountId, reply);
      const { from, to, body, providerMessageId, isStop } = reply;
      const [previousMessageLogId, contactId] = [message?.id ?? null, message?.contactId ?? null];
      const id = newId(receivedAt);
      const isNew = await this.replies.add(accountId, { id, previousMessageLogId, contactId, receivedAt, ...reply });
      const stored = { provider: SMS_PROVIDER, providerMessageId, previousMessageLogId, isStop };
      if (!isNew) return { outcome: 'known', ...stored };
      const told = { from, to, body, providerMessageId, previousMessageLogId, contactId };
      const data = { ...told, receivedAt: receivedAt.toISOString() };
      await this.outbox.add([{ type: 'sms.inbound', accountId, occurredAt: receivedAt, data }]);
      if (isStop) await this.optOut(accountId, from, message);
      return { outcome: 'recorded', ...stored };
    });
  }

  /** What was kept for its time. */
  async letGo(): Promise<void> {
    await this.replies.expireAcrossAccounts(this.clock.now());
  }

  private async findAnswered(accountId: string, reply: SmsReply): Promise<ReportedMessage | null> {
    const { previousProviderMessageId: providerMessageId } = reply;
    if (providerMessageId === null) return null;
    const [found] = await this.ledger.find([{ accountId, channel: 'sms', messageId: null, providerMessageId }]);
    return found?.message ?? null;
  }

  private async optOut(accountId: string, address: string, message: ReportedMessage | null): Promise<void> {
    const { id: messageLogId = null, contactId = null, campaignId = null } = message ?? {};
    const cause = { accountId, channel: 'sms', address, reason: 'sms_opt_out', source: 'provider' } as const;
    await this.suppressions.suppress([{ ...cause, messageLogId, contactId, campaignId }]);
  }
}
