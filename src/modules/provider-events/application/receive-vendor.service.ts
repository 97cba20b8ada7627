import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventSources } from '../../accounts/index.js';
import { toAccountEvent } from './account-event.js';
import { EventIntake } from './ports/event-intake.js';
import { EventVendors } from './ports/event-vendor.js';

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
    const vendor = this.vendors.get(source.vendor);
    const now = this.clock.now();
    const proof = source.signingKey === null ? null : vendor.verify(headers, raw, source.signingKey, now);
    if (!proof) throw new DomainError('forbidden', 'not_proven', 'The signature is not valid');
    const events = vendor.parse(raw, proof).map((event) => toAccountEvent(accountId, source.vendor, event, now));
    await this.intake.take({ accountId, events, onceToken: proof.onceToken });
  }
}
