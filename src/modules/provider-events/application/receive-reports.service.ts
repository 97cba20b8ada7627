import { Injectable } from '@nestjs/common';

import { type ProviderPost, type ProviderReport, Providers, type ReadsReports } from '../../../providers/index.js';
import type { StoredSettings } from '../../../shared/account-settings.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { INLINE_SIZE } from '../../../concurrency/content-threads.js';
import { nextTurn, TimeSlice } from '../../../concurrency/time-slice.js';
import { ProviderSettings } from '../../provider-settings/index.js';
import { type AccountEvent, toAccountEvent } from './account-event.js';
import { type StoredReply, StoreReply } from './store-reply.service.js';
import { type OnStored, StoreReports } from './store-reports.service.js';

/** A reply with the provider that has posted it. */
export type ReceivedReply = StoredReply & { provider: string };

/** Stores what providers report about the messages of an account. */
@Injectable()
export class ReceiveReports {
  constructor(
    private readonly settings: ProviderSettings,
    private readonly providers: Providers,
    private readonly storeReports: StoreReports,
    private readonly storeReply: StoreReply,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when everything in the post is stored; if it is a recipient's reply, to that. Throws not found, forbidden
   * or invalid.
   */
  async receive(
    reports: ReadsReports,
    accountId: string,
    post: ProviderPost,
    onStored: OnStored,
  ): Promise<ReceivedReply | null> {
    const settings = await this.settings.find(accountId);
    if (!settings) throw DomainError.notFound('Account');
    // Signatures and JSON of a megabyte take milliseconds.
    if (post.body.length > INLINE_SIZE) await nextTurn(accountId);
    const now = this.clock.now();
    const report = await reports.read(post, { accountId, settings, now });
    if (report?.kind === 'reply') return this.storeSmsReply(accountId, report, settings, now);
    if (report) await this.storeEvents(accountId, report, now, onStored);
    return null;
  }

  private async storeEvents(
    accountId: string,
    { provider, events, singleUseToken }: ProviderReport & { kind: 'events' },
    now: Date,
    onStored: OnStored,
  ): Promise<void> {
    const source = { accountId, provider, channel: this.providers.channelOf(provider) };
    const stored: AccountEvent[] = [];
    const slice = new TimeSlice(accountId);
    for (const event of events) {
      if (slice.isOver) await slice.next();
      stored.push(toAccountEvent(source, event, now));
    }
    await this.storeReports.store({ accountId, events: stored, singleUseToken }, onStored);
  }

  /** Replies to all numbers of an account at the provider may come through one topic, whoever uses the numbers. */
  private async storeSmsReply(
    accountId: string,
    { provider, reply, isToOwnNumber, sentAt }: ProviderReport & { kind: 'reply' },
    { sms }: StoredSettings,
    now: Date,
  ): Promise<ReceivedReply> {
    const times = { receivedAt: sentAt ?? now, sentAt };
    const stored = await this.storeReply.store(accountId, reply, times, {
      wantsEvents: sms?.twoWay === true,
      isOwnNumber: isToOwnNumber,
      stopWords: sms?.stopWords ?? [],
    });
    return { provider, ...stored };
  }
}
