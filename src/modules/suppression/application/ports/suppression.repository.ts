import type { Channel } from '../../../../shared/channel.js';
import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Suppression, SuppressionReason } from '../../domain/suppression.js';

export interface SuppressionFilter {
  /** Found anywhere in the address, whatever its case; no wildcards. */
  search?: string;
  channel?: Channel;
  reason?: SuppressionReason;
}

export interface WrittenSuppression {
  suppression: Suppression;
  /** Null of an entry that was added. */
  formerReason: SuppressionReason | null;
}

/** Suppressions of one account. A row of another account is never seen, changed or counted. */
export abstract class SuppressionRepository {
  /** Of a normalised address. Cheap for many callers at once; outside of transactions. */
  abstract isSuppressed(accountId: string, channel: Channel, address: string): Promise<boolean>;

  /** Of a normalised address; null where it is not suppressed. Unlike `isSuppressed` it may be asked in a transaction. */
  abstract find(accountId: string, channel: Channel, address: string): Promise<Suppression | null>;

  abstract get(accountId: string, id: string): Promise<Suppression | null>;

  /** By normalised address; those that are not suppressed are missing, `erased` are those known by their hash alone. May be asked in a transaction too. */
  abstract reasons(
    accountId: string,
    channel: Channel,
    addresses: readonly string[],
  ): Promise<Map<string, SuppressionReason | 'erased'>>;

  /**
   * Adds those whose address has no entry in their account yet, not even as one that was erased. What a provider or the
   * recipient caused replaces the reason, source, message and contact of another such entry that stands, if it tells more:
   * complained > bounced > unsubscribed > manual; and any other cause that of the opt-out sync. Of equal ones the earlier
   * message's counts. Of several with one address that one counts, otherwise the first. Within a transaction that
   * holds the accounts. Returns the entries, as they are now, that were added or changed; an added one has the id that it
   * was given.
   */
  abstract addAcrossAccounts(suppressions: readonly Suppression[]): Promise<WrittenSuppression[]>;

  /** Newest first. */
  abstract list(accountId: string, filter: SuppressionFilter, page: PageRequest): Promise<Page<Suppression>>;

  /**
   * The matching entries whose address is known and whose id is greater than this one, oldest first, up to the limit.
   */
  abstract listAfter(accountId: string, filter: SuppressionFilter, id: string, limit: number): Promise<Suppression[]>;

  /** Removes those of the normalised phone numbers that only the opt-out sync suppressed; how many there were. */
  abstract removeSynced(accountId: string, numbers: readonly string[]): Promise<number>;

  /** The entry that was removed, null if there was none. */
  abstract remove(accountId: string, id: string): Promise<Suppression | null>;
}
