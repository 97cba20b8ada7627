import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import type { DomainProvider } from './domain-provider.js';
import { DomainRepository } from './ports/domain.repository.js';

@Injectable()
export class PrepareDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets the domain up for this provider unless it is already; null if it is gone. Of two set-ups at the same time the
   * first to end counts: its records may have been shown.
   */
  async prepare(domain: Domain, provider: DomainProvider): Promise<Domain | null> {
    if (domain.isSetUpFor(provider.setUpFor)) return domain;
    const setUp = await provider.setUp(domain);
    const prepared = await this.domains.change(domain.accountId, domain.id, (current) => {
      if (setUp.hasMade) current.noteMade(provider.setUpFor);
      if (!current.isSetUpFor(provider.setUpFor)) current.setUp(provider.setUpFor, setUp, this.clock.now());
    });
    if (!prepared && setUp.hasMade) await provider.undo(domain);
    return prepared;
  }
}
