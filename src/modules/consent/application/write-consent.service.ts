import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../shared/actor.js';
import { readAddress } from '../../../shared/address.js';
import { DomainError } from '../../../shared/domain-error.js';
import { parseAddress } from '../../../shared/ip-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ConsentPurpose, ConsentRecord } from '../domain/consent.js';
import { readConsentTime } from '../../../shared/consent-fields.js';
import { ConsentContacts } from './ports/consent-contacts.js';
import { ConsentTopics } from './ports/consent-topics.js';
import { ReadConsents } from './read-consents.service.js';
import { RecordConsents } from './record-consents.service.js';

/** A record as a caller describes it. */
export interface ConsentRequest {
  email?: string;
  phone?: string;
  action: 'granted' | 'withdrawn';
  purpose?: ConsentPurpose;
  topicId?: string | null;
  /** ISO 8601. Default: now. */
  occurredAt?: string | null;
  wording?: string | null;
  ip?: string | null;
  userAgent?: string | null;
  evidence?: string | null;
}

@Injectable()
export class WriteConsent {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly recordConsents: RecordConsents,
    private readonly readConsents: ReadConsents,
    private readonly contacts: ConsentContacts,
    private readonly topics: ConsentTopics,
    private readonly clock: Clock,
  ) {}

  /** Throws invalid if a field is not valid, or if the person has been erased. */
  async write(
    accountId: string,
    request: ConsentRequest,
    origin: { source: 'api' | 'dashboard'; actor: Actor },
  ): Promise<ConsentRecord> {
    const { email, phone, wording, occurredAt, ip, ...rest } = request;
    if (rest.topicId != null && rest.purpose === 'tracking')
      throw DomainError.invalid('topicId must not be given with purpose tracking');
    if (rest.topicId != null) await this.topics.requireKnown(accountId, 'topicId', rest.topicId);
    const { channel, address, normalised } = readAddress({ email, phone });
    const record = {
      ...{ ...rest, ...origin, accountId, channel, address },
      ...(occurredAt == null ? {} : { occurredAt: this.readTime(occurredAt) }),
      wording: wording == null ? null : { version: null, text: wording },
      ip: ip == null ? null : readIp(ip),
    };
    return this.transactions.runInLane(accountId, async () => {
      if (channel === 'email' && !(await this.contacts.keepUnerased(accountId, normalised)))
        throw DomainError.invalid(`${address} is suppressed`, 'suppressed');
      const [id] = await this.recordConsents.record([record]);
      return this.readConsents.get(accountId, id ?? '');
    });
  }

  private readTime(text: string): Date {
    const read = readConsentTime(text, this.clock.now());
    if ('fault' in read) throw DomainError.invalid(`occurredAt ${read.fault}`);
    return read.at;
  }
}

function readIp(text: string): string {
  const address = parseAddress(text);
  if (!address) throw DomainError.invalid('ip must be an IPv4 or IPv6 address');
  return address.toString();
}
