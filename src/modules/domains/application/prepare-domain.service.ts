import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { DomainRepository } from './ports/domain.repository.js';
import type { DomainProvider } from './providers/domain-provider.js';

@Injectable()
export class PrepareDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers the domain with the provider unless it has records for it. Returns null if the domain was deleted. If
   * several registrations run at the same time, the first to finish wins: its records may have been shown already.
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
