import type { Channel } from '../../../../shared/channel.js';
import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Suppression, SuppressionReason, SuppressionSource } from '../../domain/suppression.js';
import type { FormerCause } from '../../domain/suppression-event.js';

export interface SuppressionFilter {
  /** Any part of the address; case-insensitive, without wildcards. */
  search?: string;
  channel?: Channel;
  reason?: SuppressionReason;
}

export interface WrittenSuppression {
  suppression: Suppression;
  /** Null for an entry that was added. */
  former: FormerCause | null;
}

/** The cause that an entry must still have; absent fields match any. An erased entry meets no expectation. */
export interface ExpectedCause {
  reason?: SuppressionReason;
  source?: SuppressionSource;
}

/** A message that is about to be accepted or submitted. */
export interface Submission {
  accountId: string;
  channel: Channel;
  /** Normalised. */
  address: string;
  campaignId: string | null;
  topicId: string | null;
}

/**
 * The reason why the message must not be submitted, or not now. `no_consent`: it lacks a consent that the account
 * requires for campaigns. `unknown_topic`: the account does not have its topic, or it was deleted. `topic`: the name of
 * the topic that the recipient is out of.
 */
export type SubmissionRefusal =
  'suppressed' | 'campaign_paused' | 'campaign_canceled' | 'no_consent' | 'unknown_topic' | { topic: string };

/** Suppressions of one account, with normalised addresses. Rows of other accounts are invisible. */
export abstract class SuppressionRepository {
  /**
   * Null if the message may be submitted. Sees everything that was committed before the call. Cheap for many concurrent
   * callers. Must not be called in a transaction.
   */
  abstract findRefusal(submission: Submission): Promise<SubmissionRefusal | null>;

  /** The hash under which the address would be stored if it were erased, as a PostgreSQL bytea literal. */
  abstract hashOf(accountId: string, channel: Channel, address: string): string;

  /** Null if the address is not suppressed. Reads within the current transaction. */
  abstract find(accountId: string, channel: Channel, address: string): Promise<Suppression | null>;

  abstract findById(accountId: string, id: string): Promise<Suppression | null>;

  /**
   * The reasons by address; addresses that are not suppressed are missing, `erased` are those of which only the hash is
   * stored. Reads within the current transaction.
   */
  abstract findReasons(
    accountId: string,
    channel: Channel,
    addresses: readonly string[],
  ): Promise<Map<string, SuppressionReason | 'erased'>>;

  /**
   * Adds an entry for each address that has none, not even an erased one. An existing entry gets the reason, source,
   * message and contact of the new one if that takes precedence over it (`takesPrecedence`). If several given entries
   * have one address, one counts over which no other takes precedence: an automatic one, or else the first. A phone
   * number that an operator has blocked stays marked as blocked whatever the cause. Call it in a transaction that has
   * locked the accounts. Returns the entries that were added or changed; an added entry has the id it was given.
   */
  abstract addAcrossAccounts(suppressions: readonly Suppression[]): Promise<WrittenSuppression[]>;

  /**
   * Counts the addresses whose owners unsubscribed, from everything or from a topic, by a message of a campaign, by its
   * id. Campaigns without any are missing.
   */
  abstract countUnsubscribed(accountId: string, campaignIds: readonly string[]): Promise<Map<string, number>>;

  /** Newest first. */
  abstract list(accountId: string, filter: SuppressionFilter, page: PageRequest): Promise<Page<Suppression>>;

  /** The matching entries whose address is known and whose id is greater than this one, oldest first. */
  abstract listAfter(accountId: string, filter: SuppressionFilter, id: string, limit: number): Promise<Suppression[]>;

  /** Removes those of the phone numbers that only the opt-out sync suppressed; returns how many. */
  abstract removeSynced(accountId: string, numbers: readonly string[]): Promise<number>;

  /** Removes the entry of a number (E.164) whose only cause is that its owner has opted out, if it has one. */
  abstract removeOptOut(accountId: string, number: string): Promise<void>;

  /** Removes the entry if it has the expected cause at that moment. Returns the removed entry, or null. */
  abstract remove(accountId: string, id: string, expected: ExpectedCause): Promise<Suppression | null>;
}

/** Suppressions of erased addresses, of which only a hash is stored. */
export abstract class ErasedSuppressions {
  /** In the current transaction, replaces the address and note of an existing entry with the hash, or adds an entry. */
  abstract suppress(accountId: string, email: string, contactId: string, now: Date): Promise<void>;

  /** In the current transaction, removes the entry of an address, if there is one. */
  abstract remove(accountId: string, email: string): Promise<void>;

  /** Whether an address was erased with this contact. */
  abstract isErasedContact(accountId: string, contactId: string): Promise<boolean>;
}
