import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Domain } from '../../domain/domain.js';

/** Domains of one account. A domain of another account is never seen or changed. */
export abstract class DomainRepository {
  /**
   * Adds the domain unless its name stands in the installation already. One of another account that was never verified and
   * was added before `openIfBefore` makes room; it is in the answer. Of concurrent calls one adds.
   */
  abstract addIfAbsent(domain: Domain, openIfBefore: Date): Promise<{ isAdded: boolean; displaced: Domain | null }>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Domain>>;

  abstract find(accountId: string, id: string): Promise<Domain | null>;

  abstract findByNameAcrossAccounts(name: string): Promise<Domain | null>;

  /**
   * Locks the row, has it changed and stores it: the domain as it then stands, null if it is gone. Concurrent changes
   * come one after the other, each seeing what the one before left. `change` may run more than once.
   */
  abstract change(accountId: string, id: string, change: (domain: Domain) => void): Promise<Domain | null>;

  /** The domain as it was; null if there is none. Of concurrent calls one gets it. */
  abstract remove(accountId: string, id: string): Promise<Domain | null>;

  /**
   * Those whose check is due, and those that are not set up for what their account sends through now. All are due again at
   * `again` unless they are checked before.
   */
  abstract claimDueAcrossAccounts(now: Date, again: Date, limit: number): Promise<Domain[]>;
}
