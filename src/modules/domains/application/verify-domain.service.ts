import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { findDmarc } from './dns-checks.js';
import { DnsResolver } from './ports/dns-resolver.js';
import { DomainProviders } from './providers/domain-providers.service.js';
import { DomainTakenError } from './domain-errors.js';
import { DomainRepository } from './ports/domain.repository.js';
import { PrepareDomain } from './prepare-domain.service.js';
import { VerifyRateLimit } from './verify-rate-limit.js';

@Injectable()
export class VerifyDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly providers: DomainProviders,
    private readonly prepareDomain: PrepareDomain,
    private readonly rateLimit: VerifyRateLimit,
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the domain now. Throws `limit_exceeded` if the account requests too many checks, and a ProviderFailure if
   * the domain could not be registered with a new provider of the account.
   */
  async verify(accountId: string, id: string): Promise<Domain> {
    this.rateLimit.reserve(accountId);
    const domain = await this.domains.find(accountId, id);
    const verified = domain && (await this.check(domain));
    if (!verified) throw DomainError.notFound('Domain');
    return verified;
  }

  /**
   * Returns null if the domain was deleted. No lock is held during DNS and SES queries, so their results are applied to
   * the row as it is afterwards, unless the domain was registered with another provider meanwhile. If several
   * accounts have the same domain, the first to verify it owns it.
   */
  async check(domain: Domain): Promise<Domain | null> {
    const provider = await this.providers.forAccount(domain.accountId);
    const prepared = await this.prepareDomain.prepare(domain, provider);
    if (!prepared) return null;
    const startedAt = this.clock.now();
    const [inspection, dmarc] = await Promise.all([provider.inspect(prepared), findDmarc(this.dns, prepared.name)]);
    const change = (record: (current: Domain) => void) =>
      this.domains.change(domain.accountId, domain.id, (current) => {
        current.recordDmarc(dmarc, startedAt);
        if (inspection.createdIdentity) current.recordIdentity(provider.providerKey);
        if (current.hasRecordsFor(provider.providerKey)) record(current);
      });
    try {
      return await change((current) => {
        current.record(inspection, startedAt);
      });
    } catch (error) {
      if (!(error instanceof DomainTakenError)) throw error;
      return change((current) => {
        current.recordTaken(inspection, startedAt, error.message);
      });
    }
  }
}
