import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { DomainProviders } from './domain-providers.service.js';
import { DomainTakenError } from './domain-taken-error.js';
import { DomainRepository } from './ports/domain.repository.js';
import { PrepareDomain } from './prepare-domain.service.js';

@Injectable()
export class VerifyDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly providers: DomainProviders,
    private readonly prepareDomain: PrepareDomain,
    private readonly clock: Clock,
  ) {}

  /** Looks at the domain now. Throws a ProviderFailure where it had to be set up for another provider and could not. */
  async verify(accountId: string, id: string): Promise<Domain> {
    const domain = await this.domains.find(accountId, id);
    const verified = domain && (await this.check(domain));
    if (!verified) throw DomainError.notFound('Domain');
    return verified;
  }

  /**
   * Null if the domain is gone. Nothing is locked while DNS and SES are asked, so what they say is taken into the row
   * as it stands then: not where the domain was set up for another provider meanwhile. Of accounts that have the same
   * domain the first to have it verified gets it.
   */
  async check(domain: Domain): Promise<Domain | null> {
    const provider = await this.providers.of(domain.accountId);
    const prepared = await this.prepareDomain.prepare(domain, provider);
    if (!prepared) return null;
    const askedAt = this.clock.now();
    const inspection = await provider.inspect(prepared);
    const change = (record: (current: Domain) => void) =>
      this.domains.change(domain.accountId, domain.id, (current) => {
        if (inspection.hasMade) current.noteMade(provider.setUpFor);
        if (current.isSetUpFor(provider.setUpFor)) record(current);
      });
    try {
      return await change((current) => {
        current.record(inspection, askedAt);
      });
    } catch (error) {
      if (!(error instanceof DomainTakenError)) throw error;
      return change((current) => {
        current.recordTaken(inspection, askedAt, error.message);
      });
    }
  }
}
