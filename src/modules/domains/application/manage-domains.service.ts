import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Domain, MAX_UNVERIFIED_DOMAINS } from '../domain/domain.js';
import { requireDomainName } from '../domain/domain-name.js';
import { DomainOwnership } from './domain-ownership.service.js';
import { DomainProviders } from './domain-providers.service.js';
import { DomainRepository } from './ports/domain.repository.js';
import { PrepareDomain } from './prepare-domain.service.js';
import { ReleaseIdentity } from './release-identity.service.js';

@Injectable()
export class ManageDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly ownership: DomainOwnership,
    private readonly providers: DomainProviders,
    private readonly prepareDomain: PrepareDomain,
    private readonly releaseIdentity: ReleaseIdentity,
    private readonly clock: Clock,
  ) {}

  /**
   * A name that another account has verified is refused; one that it has merely added is not. The row comes first, so
   * that of two calls one sets the name up. It goes again where the provider refuses.
   */
  async create(accountId: string, text: string): Promise<Domain> {
    const name = requireDomainName(text);
    const now = this.clock.now();
    await this.ownership.requireNotTaken(accountId, name);
    const provider = await this.providers.of(accountId);
    const domain = Domain.pending(newId(now), accountId, name, provider.setUpFor, now);
    const outcome = await this.domains.addIfAbsent(domain, MAX_UNVERIFIED_DOMAINS);
    if (outcome !== 'added') throw notAdded(outcome, name);
    try {
      return found(await this.prepareDomain.prepare(domain, provider));
    } catch (error) {
      await this.domains.remove(accountId, domain.id);
      throw error;
    }
  }

  list(accountId: string, page: PageRequest): Promise<Page<Domain>> {
    return this.domains.list(accountId, page);
  }

  async get(accountId: string, id: string): Promise<Domain> {
    return found(await this.domains.find(accountId, id));
  }

  /** Gone for us in any case: what the provider keeps of it is its account holder's to remove. */
  async remove(accountId: string, id: string): Promise<Domain> {
    const domain = found(await this.domains.remove(accountId, id));
    const { name, madeIn } = domain;
    if (!(await this.domains.isSetUpForOthers(accountId, name, madeIn))) {
      await this.releaseIdentity.release(domain, name);
    }
    return domain;
  }
}

const notAdded = (outcome: 'stood' | 'too_many', name: string): DomainError =>
  DomainError.conflict(
    outcome === 'stood'
      ? `${name} is already a domain of this account`
      : `The account has ${MAX_UNVERIFIED_DOMAINS} domains that are not verified; verify or delete some first`,
  );

function found(domain: Domain | null): Domain {
  if (!domain) throw DomainError.notFound('Domain');
  return domain;
}
