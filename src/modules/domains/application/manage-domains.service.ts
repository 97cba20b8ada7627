import { Injectable } from '@nestjs/common';

import { MAX_UNVERIFIED_DOMAINS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Domain } from '../domain/domain.js';
import { requireDomainName } from '../domain/domain-name.js';
import { DomainOwnership } from './domain-ownership.service.js';
import { DomainProviders } from './providers/domain-providers.service.js';
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
   * Refuses a name that another account has verified, but not one that it has only added. The row is inserted first, so
   * that of concurrent calls only one registers the name, and deleted again if the provider refuses.
   */
  async create(accountId: string, text: string): Promise<Domain> {
    const name = requireDomainName(text);
    const now = this.clock.now();
    await this.ownership.requireNotTaken(accountId, name);
    const provider = await this.providers.forAccount(accountId);
    const domain = Domain.pending(newId(now), accountId, name, provider.providerKey, now);
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

  /** Succeeds even if the provider cannot delete its identity. */
  async remove(accountId: string, id: string): Promise<Domain> {
    const domain = found(await this.domains.remove(accountId, id));
    const { name, identityCreatedIn } = domain;
    if (!(await this.domains.isUsedByOthers(accountId, name, identityCreatedIn))) {
      await this.releaseIdentity.release(domain, name);
    }
    return domain;
  }
}

const notAdded = (outcome: 'exists' | 'too_many', name: string): DomainError =>
  DomainError.conflict(
    outcome === 'exists'
      ? `${name} is already a domain of this account`
      : `The account has ${MAX_UNVERIFIED_DOMAINS} domains that are not verified; verify or delete some first`,
  );

function found(domain: Domain | null): Domain {
  if (!domain) throw DomainError.notFound('Domain');
  return domain;
}
