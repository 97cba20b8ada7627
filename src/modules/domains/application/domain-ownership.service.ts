import { Injectable } from '@nestjs/common';

import { DomainTakenError } from './domain-errors.js';
import { DomainRepository } from './ports/domain.repository.js';

/** An account that has verified a domain owns it: no other account may verify it or send from its addresses. */
@Injectable()
export class DomainOwnership {
  constructor(private readonly domains: DomainRepository) {}

  /** Throws a DomainTakenError if another account has verified the domain. */
  async requireNotTaken(accountId: string, name: string): Promise<void> {
    const domain = await this.domains.findVerifiedByNameAcrossAccounts(name);
    if (domain && domain.accountId !== accountId) throw new DomainTakenError(name);
  }
}
