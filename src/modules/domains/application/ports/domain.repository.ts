import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Domain } from '../../domain/domain.js';
import type { SetUpFor } from '../../../../shared/provider-key.js';

/** Domains of one account. A domain of another account is never seen or changed. */
export abstract class DomainRepository {
  /**
   * Adds the domain unless the account has its name already, or `maxUnverified` domains that are not verified. Exact
   * under concurrency.
   */
  abstract addIfAbsent(domain: Domain, maxUnverified: number): Promise<'added' | 'stood' | 'too_many'>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Domain>>;

  abstract find(accountId: string, id: string): Promise<Domain | null>;

  /** The one that is verified: no other account can have it verified too. */
  abstract findVerifiedByNameAcrossAccounts(name: string): Promise<Domain | null>;

  /** Whether another account has the name too, set up in one of these places, and so uses the same identity. */
  abstract isSetUpForOthers(accountId: string, name: string, places: readonly SetUpFor[]): Promise<boolean>;

  /**
   * Locks the row, has it changed and stores it: the domain as it then stands, null if it is gone. Concurrent changes
   * come one after the other, each seeing what the one before left. `change` may run more than once. Throws a
   * DomainTakenError, and stores nothing, where the domain would be verified and another account has it verified
   * already.
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
