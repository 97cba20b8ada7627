import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { type EventSource, EventSources } from '../../provider-settings/index.js';
import { SMS_PROVIDER } from '../domain/provider-event.js';
import { type AccountEvent, toAccountEvent } from './account-event.js';
import { type EventVendorName, EventVendors, type VendorPost } from './ports/event-vendor.js';
import { type OnStored, StoreReports } from './store-reports.service.js';

@Injectable()
export class ReceiveVendorEvents {
  constructor(
    private readonly sources: EventSources,
    private readonly vendors: EventVendors,
    private readonly storeReports: StoreReports,
    private readonly clock: Clock,
  ) {}

  /** Resolves when all events of the post are stored. Throws not found, forbidden or invalid. */
  async receive(accountId: string, post: VendorPost, onStored: OnStored): Promise<void> {
    const { vendor, signingKey } = await this.findSource(accountId);
    await this.store(accountId, vendor, signingKey, post, onStored);
  }

  /** The same for SMS delivery receipts, forwarded from the log of Amazon SNS. */
  async receiveReceipts(accountId: string, post: VendorPost, onStored: OnStored): Promise<void> {
    const { smsSigningKey } = await this.findSource(accountId);
    await this.store(accountId, SMS_PROVIDER, smsSigningKey, post, onStored);
  }

  private async findSource(accountId: string): Promise<EventSource> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    return source;
  }

  private async store(
    accountId: string,
    name: EventVendorName,
    key: string | null,
    post: VendorPost,
    onStored: OnStored,
  ): Promise<void> {
    const vendor = this.vendors.get(name);
    const now = this.clock.now();
    const verification = key === null ? null : vendor.verify(post, key, now);
    if (!verification) throw new DomainError('forbidden', 'not_proven', 'The signature is not valid');
    const events: AccountEvent[] = [];
    const slice = new TimeSlice();
    for (const event of vendor.parse(post.body, verification)) {
      if (slice.isOver) await slice.next();
      events.push(toAccountEvent(accountId, name, event, now));
    }
    await this.storeReports.store({ accountId, events, singleUseToken: verification.singleUseToken }, onStored);
  }
}
