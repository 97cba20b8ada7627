import type { Channel } from '../../../../shared/channel.js';
import type {
  ConsentAction,
  ConsentPurpose,
  ConsentRecord,
  LatestRecord,
  NewConsent,
  StandingConsent,
} from '../../domain/consent.js';

/** A record with its id, times and normalised address. */
export interface ConsentToAppend extends NewConsent {
  id: string;
  normalisedAddress: string;
  recordedAt: Date;
}

export interface ConsentFilter {
  /** Normalised. */
  address?: { channel: Channel; address: string };
  topicId?: string;
  purpose?: ConsentPurpose;
  action?: ConsentAction;
  /** Bounds of `recordedAt`; `to` is exclusive. */
  from?: Date;
  to?: Date;
}

/** Consents of one account, with normalised addresses. Those of other accounts are invisible. */
export abstract class ConsentRepository {
  /**
   * Appends the records, all recorded at the same time, except those whose condition is not met, and updates the
   * standing consents, in the current transaction. A record without `occurredAt` occurs when it is recorded, and later
   * than all standing consents of its address. Returns the ids of the appended records.
   */
  abstract appendAcrossAccounts(records: readonly ConsentToAppend[]): Promise<Set<string>>;

  /** Newest first, before this id if there is one. Finds the records of an erased address, too. */
  abstract list(
    accountId: string,
    filter: ConsentFilter,
    page: { beforeId: string | null; limit: number },
  ): Promise<ConsentRecord[]>;

  abstract find(accountId: string, id: string): Promise<ConsentRecord | null>;

  /** The standing consents of the address. Reads within the current transaction. */
  abstract listStanding(accountId: string, channel: Channel, address: string): Promise<StandingConsent[]>;

  /**
   * Locks the standing consents of a number (E.164) until the current transaction ends, and returns its latest records
   * about marketing: for all topics and for each topic, and the latest opt-out by SMS.
   */
  abstract lockLatestOfNumber(accountId: string, number: string): Promise<LatestRecord[]>;

  /**
   * Restores, in the current transaction, the consents that stood for these normalised addresses when they were erased,
   * because there are contacts with them again.
   */
  abstract restoreErased(accountId: string, emails: readonly string[]): Promise<void>;

  /**
   * Whether the email address has a standing consent to tracking. Cheap for many concurrent callers. Must not be called
   * in a transaction.
   */
  abstract isTrackingGranted(accountId: string, email: string): Promise<boolean>;

  /** Whether the account requires consent for campaigns. */
  abstract isRequired(accountId: string): Promise<boolean>;

  /**
   * Returns those of the contacts' normalised addresses without a standing consent to marketing about the topic, if the
   * account requires one; else none. Reads within the current transaction.
   */
  abstract findLacking(accountId: string, emails: readonly string[], topicId: string | null): Promise<Set<string>>;
}
