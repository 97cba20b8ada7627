import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventSources } from '../../provider-settings/index.js';
import { SMS_PROVIDER, toAccountEvent } from './account-event.js';
import { EventIntake } from './ports/event-intake.js';
import { type EventVendorName, EventVendors } from './ports/event-vendor.js';

@Injectable()
export class ReceiveVendor {
  constructor(
    private readonly sources: EventSources,
    private readonly vendors: EventVendors,
    private readonly intake: EventIntake,
    private readonly clock: Clock,
  ) {}

  /** Resolves when everything that the post says is stored. */
  async receive(accountId: string, headers: IncomingHttpHeaders, raw: Buffer): Promise<void> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    await this.take(accountId, source.vendor, source.signingKey, headers, raw);
  }

  /** The same for receipts of SMS, which somebody forwards out of the log of Amazon SNS. */
  async receiveReceipts(accountId: string, headers: IncomingHttpHeaders, raw: Buffer): Promise<void> {
    const source = await this.sources.find(accountId);
    if (!source) throw DomainError.notFound('Account');
    await this.take(accountId, SMS_PROVIDER, source.smsSigningKey, headers, raw);
  }

  private async take(
    accountId: string,
    name: EventVendorName,
    key: string | null,
    headers: IncomingHttpHeaders,
    raw: Buffer,
  ): Promise<void> {
    const vendor = this.vendors.get(name);
    const now = this.clock.now();
    const proof = key === null ? null : vendor.verify(headers, raw, key, now);
    if (!proof) throw new DomainError('forbidden', 'not_proven', 'The signature is not valid');
    const events = vendor.parse(raw, proof).map((event) => toAccountEvent(accountId, name, event, now));
    await this.intake.take({ accountId, events, onceToken: proof.onceToken });
  }
}
