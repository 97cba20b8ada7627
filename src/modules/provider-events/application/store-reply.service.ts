import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LOCK_WAIT_MS, MAX_LOCKED_IN_STATEMENT_MS, retryWhileLocked } from '../../../concurrency/retry.js';
import { TimelineRepository, type ReportedMessage } from '../../messages/index.js';
import { SmsOptOuts } from '../../suppression/index.js';
import { requestOf, type SmsReply, type SmsRequest } from '../../../providers/index.js';
import { Replies } from './ports/replies.js';

export interface StoredReply {
  outcome: 'recorded' | 'known';
  providerMessageId: string;
  previousMessageLogId: string | null;
  isStop: boolean;
}

export interface ReplyTimes {
  receivedAt: Date;
  /** The time when the reply was sent, by the provider's clock; null if that is not known. */
  sentAt: Date | null;
}

/** The settings of the account that apply to a reply. */
export interface ReplyRules {
  /** Whether replies to the account are reported. */
  wantsEvents: boolean;
  /** Whether the reply came to the number of the account. A reply to one of its messages is for the account, too. */
  isOwnNumber: boolean;
  /** The stop words that the account has added. */
  stopWords: readonly string[];
}

@Injectable()
export class StoreReply {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly timelines: TimelineRepository,
    private readonly replies: Replies,
    private readonly outbox: Outbox,
    private readonly optOuts: SmsOptOuts,
    private readonly faults: DatabaseFaults,
  ) {}

  /**
   * Stores the reply, writes its event to the outbox if the account wants it, and opts its sender out or in again if it
   * asks for that, all or nothing. A stop word counts whatever number it was sent to, START for the account alone. Of
   * both, the one that was sent last counts, by the provider's clock; if that is not known, the one that is stored
   * last. A repeated report changes nothing, so it does not restore a suppression that was lifted meanwhile. Waits for
   * the locks of the account in its lane, for one turn at a time: others need the connections.
   */
  store(accountId: string, reply: SmsReply, times: ReplyTimes, rules: ReplyRules): Promise<StoredReply> {
    const work = () => this.storeNow(accountId, reply, times, rules);
    const inTurn = () => this.transactions.runInLane(accountId, work, { maxLockWaitMs: LOCK_WAIT_MS });
    return retryWhileLocked(this.faults, inTurn, MAX_LOCKED_IN_STATEMENT_MS);
  }

  private async storeNow(
    accountId: string,
    reply: SmsReply,
    { receivedAt, sentAt }: ReplyTimes,
    { wantsEvents, isOwnNumber, stopWords }: ReplyRules,
  ): Promise<StoredReply> {
    const message = await this.findAnswered(accountId, reply);
    const { from, to, body, providerMessageId } = reply;
    const request = requestOf(reply, stopWords);
    const isForAccount = isOwnNumber || message !== null;
    const [previousMessageLogId, contactId] = [message?.id ?? null, message?.contactId ?? null];
    const id = newId(receivedAt);
    const counts = request === 'stop' || (request === 'start' && isForAccount);
    // A request without a time may be repeated once the account has that number.
    const asked = { request: counts || sentAt === null ? request : null, requestedAt: sentAt };
    const links = { previousMessageLogId, contactId };
    const isNew = await this.replies.add(accountId, { ...reply, id, ...links, receivedAt, ...asked });
    const stored = { providerMessageId, previousMessageLogId, isStop: request === 'stop' };
    if (!isNew) return { outcome: 'known', ...stored };
    const data = { from, to, body, providerMessageId, ...links, receivedAt: receivedAt.toISOString() };
    if (wantsEvents && isForAccount)
      await this.outbox.add([{ type: 'sms.inbound', accountId, occurredAt: receivedAt, data }]);
    if (request !== null && counts) await this.carryOut(accountId, { request, from, sentAt }, message);
    return { outcome: 'recorded', ...stored };
  }

  /** Purges texts and replies past their retention. */
  async purgeExpired(): Promise<void> {
    await this.replies.expireAcrossAccounts();
  }

  private async findAnswered(accountId: string, reply: SmsReply): Promise<ReportedMessage | null> {
    const { previousProviderMessageId: providerMessageId } = reply;
    if (providerMessageId === null) return null;
    const [found] = await this.timelines.find([{ accountId, channel: 'sms', messageId: null, providerMessageId }]);
    return found?.message ?? null;
  }

  /** Of two requests that are stored at the same time, one sees the other, because of the lock. */
  private async carryOut(
    accountId: string,
    { request, from, sentAt }: { request: SmsRequest; from: string; sentAt: Date | null },
    message: ReportedMessage | null,
  ): Promise<void> {
    await this.optOuts.lock(accountId);
    if (sentAt !== null && (await this.replies.isOverruled(accountId, { request, from, sentAt }))) return;
    const { id: messageLogId = null, contactId = null, campaignId = null } = message ?? {};
    if (request === 'stop') return this.optOuts.optOut(accountId, from, { messageLogId, contactId, campaignId });
    // Once the provider's clock has ordered STOP and START, it does not matter when the STOP was recorded as a
    // withdrawal. Other opt-outs, such as that of a refused message, have no time but that.
    const isOrdered = sentAt === null || (await this.replies.isStoppedBefore(accountId, from, sentAt));
    await this.optOuts.optIn(accountId, from, { sentAt: isOrdered ? null : sentAt, messageLogId });
  }
}
