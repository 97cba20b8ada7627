import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import type { DnsRecord } from '../../../shared/dns-record.js';
import { ManageDomains } from './manage-domains.service.js';
import { type DnsAnswer, DnsResolver } from './ports/dns-resolver.js';
import { VerifyRateLimit } from './verify-rate-limit.js';

const MAX_VALUES = 20;
const MAX_LENGTH = 1_000;

/** The values in DNS at the name of a record. */
export interface PublishedRecord {
  type: DnsRecord['type'];
  name: string;
  /** Null if DNS did not answer. */
  values: string[] | null;
}

/** Looks up what is published under the names of a domain's records, without recording anything. */
@Injectable()
export class LookUpRecords {
  constructor(
    private readonly domains: ManageDomains,
    private readonly rateLimit: VerifyRateLimit,
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
  ) {}

  /** Counts as one check of the account: throws `limit_exceeded` if it requests too many. */
  async lookUp(accountId: string, id: string): Promise<{ checkedAt: Date; records: PublishedRecord[] }> {
    const { records } = await this.domains.get(accountId, id);
    this.rateLimit.reserve(accountId);
    const checkedAt = this.clock.now();
    const names = new Map(records.map(({ type, name }) => [`${type} ${name}`, { type, name }]));
    const published = [...names.values()].map(async ({ type, name }) => {
      const answer = await this.ask(type, name);
      const values = 'error' in answer ? null : answer.values.slice(0, MAX_VALUES);
      return { type, name, values: values && values.map((value) => value.slice(0, MAX_LENGTH).toWellFormed()) };
    });
    return { checkedAt, records: await Promise.all(published) };
  }

  private ask(type: DnsRecord['type'], name: string): Promise<DnsAnswer> {
    switch (type) {
      case 'TXT':
        return this.dns.txt(name);
      case 'MX':
        return this.dns.mx(name);
      case 'CNAME':
        return this.dns.cname(name);
    }
  }
}
