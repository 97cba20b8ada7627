import type { VerificationProvider } from '../../../../shared/provider-key.js';

/** A From address and the provider to send through; null: the account's current provider. */
export interface SenderCheck {
  accountId: string;
  normalisedEmail: string;
  /** Compared as a whole: a verified domain does not include its sub-domains. */
  domainName: string;
  provider: VerificationProvider | null;
}

/** Read for every accepted message. */
export abstract class VerifiedSenders {
  /**
   * Whether the account has verified the domain, or has verified the address for this provider and no other account has
   * verified the domain.
   */
  abstract isVerified(check: SenderCheck): Promise<boolean>;
}
