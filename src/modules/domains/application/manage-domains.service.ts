import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Domain, openIfTakenBefore } from '../domain/domain.js';
import { requireDomainName } from '../domain/domain-name.js';
import { DomainProviders } from './domain-providers.service.js';
import { DomainRepository } from './ports/domain.repository.js';
import { PrepareDomain } from './prepare-domain.service.js';
import { ReleaseIdentity } from './release-identity.service.js';

@Injectable()
export class ManageDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly providers: DomainProviders,
    private readonly prepareDomain: PrepareDomain,
    private readonly releaseIdentity: ReleaseIdentity,
    private readonly clock: Clock,
  ) {}

  /** The row comes first, so that of two accounts one sets the name up. It goes again where the provider refuses. */
  async create(accountId: string, text: string): Promise<Domain> {
    const name = requireDomainName(text);
    const now = this.clock.now();
    const provider = await this.providers.of(accountId);
    const domain = Domain.pending(newId(now), accountId, name, provider.setUpFor, now);
    const { isAdded, displaced } = await this.domains.addIfAbsent(domain, openIfTakenBefore(now));
    if (!isAdded) throw await this.whyNotAdded(accountId, name);
    if (displaced) await this.releaseIdentity.release(displaced, name);
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
    await this.releaseIdentity.release(domain, domain.name);
    return domain;
  }

  private async whyNotAdded(accountId: string, name: string): Promise<DomainError> {
    const owner = (await this.domains.findByNameAcrossAccounts(name))?.accountId;
    const belongs =
      owner === accountId ? 'is already a domain of this account' : 'belongs to another account of this installation';
    return DomainError.conflict(`${name} ${belongs}`);
  }
}

function found(domain: Domain | null): Domain {
  if (!domain) throw DomainError.notFound('Domain');
  return domain;
}
