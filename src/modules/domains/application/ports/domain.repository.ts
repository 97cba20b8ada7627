import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Domain } from '../../domain/domain.js';
import type { ProviderKey } from '../../../../shared/provider-key.js';

/** Domains of one account: those of other accounts are invisible. */
export abstract class DomainRepository {
  /**
   * Adds the domain unless the account already has one with this name, or `maxUnverified` unverified domains. Exact
   * under concurrency.
   */
  abstract addIfAbsent(domain: Domain, maxUnverified: number): Promise<'added' | 'exists' | 'too_many'>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Domain>>;

  abstract find(accountId: string, id: string): Promise<Domain | null>;

  /** At most one account of the installation has a verified domain of this name. */
  abstract findVerifiedByNameAcrossAccounts(name: string): Promise<Domain | null>;

  /** Whether another account has a domain of this name at one of these providers, and so shares its identity. */
  abstract isUsedByOthers(accountId: string, name: string, providerKeys: readonly ProviderKey[]): Promise<boolean>;

  /**
   * Locks the row, applies the change and stores it. Returns the changed domain, or null if it was deleted. Concurrent
   * changes are serialised. `change` may run more than once. Throws a DomainTakenError, and stores nothing, if the
   * domain would become verified but another account has already verified it.
   */
  abstract change(accountId: string, id: string, change: (domain: Domain) => void): Promise<Domain | null>;

  /** Returns the deleted domain, or null. One of several concurrent calls gets it. */
  abstract remove(accountId: string, id: string): Promise<Domain | null>;

  /**
   * Claims domains whose check is due and those whose account has changed its provider. They are due again at
   * `claimedUntil` unless they are checked earlier.
   */
  abstract claimDueAcrossAccounts(now: Date, claimedUntil: Date, limit: number): Promise<Domain[]>;
}
