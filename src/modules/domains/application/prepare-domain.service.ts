import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import type { DomainProvider } from './ports/domain-providers.js';
import { DomainRepository } from './ports/domain.repository.js';

@Injectable()
export class PrepareDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers the domain with the provider unless it has records for it. Returns null if the domain was deleted. Of
   * concurrent registrations the first to finish wins: its records may have been shown already.
   */
  async prepare(domain: Domain, provider: DomainProvider): Promise<Domain | null> {
    if (domain.hasRecordsFor(provider.providerKey)) return domain;
    const setup = await provider.setUp(domain);
    const prepared = await this.domains.change(domain.accountId, domain.id, (current) => {
      if (setup.createdIdentity) current.recordIdentity(provider.providerKey);
      if (!current.hasRecordsFor(provider.providerKey)) current.setUp(provider.providerKey, setup, this.clock.now());
    });
    if (!prepared && setup.createdIdentity) await provider.undo(domain);
    return prepared;
  }
}
