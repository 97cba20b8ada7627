import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import { SuppressAddresses } from '../../suppression/index.js';
import { SMS_PROVIDER } from '../domain/provider-event.js';
import type { SmsReply } from '../domain/sms-reply.js';
import { Replies } from './ports/replies.js';

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
    private readonly timelines: TimelineRepository,
    private readonly replies: Replies,
    private readonly outbox: Outbox,
    private readonly suppressions: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the reply, writes its event to the outbox and, if it is a stop word, suppresses its sender, all or nothing.
   * A repeated report changes nothing, so it does not restore a suppression that was lifted meanwhile.
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
      const links = { providerMessageId, previousMessageLogId, contactId };
      const data = { from, to, body, ...links, receivedAt: receivedAt.toISOString() };
      await this.outbox.add([{ type: 'sms.inbound', accountId, occurredAt: receivedAt, data }]);
      if (isStop) await this.optOut(accountId, from, message);
      return { outcome: 'recorded', ...stored };
    });
  }

  /** Purges texts and replies past their retention. */
  async purgeExpired(): Promise<void> {
    await this.replies.expireAcrossAccounts(this.clock.now());
  }

  private async findAnswered(accountId: string, reply: SmsReply): Promise<ReportedMessage | null> {
    const { previousProviderMessageId: providerMessageId } = reply;
    if (providerMessageId === null) return null;
    const [found] = await this.timelines.find([{ accountId, channel: 'sms', messageId: null, providerMessageId }]);
    return found?.message ?? null;
  }

  private async optOut(accountId: string, address: string, message: ReportedMessage | null): Promise<void> {
    const { id: messageLogId = null, contactId = null, campaignId = null } = message ?? {};
    const cause = { accountId, channel: 'sms', address, reason: 'sms_opt_out', source: 'provider' } as const;
    await this.suppressions.suppress([{ ...cause, messageLogId, contactId, campaignId }]);
  }
}
