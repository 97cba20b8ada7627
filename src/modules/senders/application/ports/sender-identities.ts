import type { LinkCarrier } from '../../../../shared/verification-provider.js';

/** The From address of a message and the provider it is sent through; null: the account's current one. */
export interface SenderQuestion {
  accountId: string;
  normalisedEmail: string;
  /** Compared as a whole: a domain does not stand for its sub-domains. */
  domainName: string;
  carrier: LinkCarrier | null;
}

/** Asked for every message that is accepted. */
export abstract class SenderIdentities {
  /**
   * Whether the address is a sender of the account that was verified for this carrier, or its domain is a verified one
   * of the account. False wherever another account has the domain verified.
   */
  abstract isVerified(question: SenderQuestion): Promise<boolean>;
}
