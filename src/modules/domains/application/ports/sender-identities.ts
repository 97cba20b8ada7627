import type { SenderStatus } from '../../domain/sender.js';

/** What an account holds for one From address: the status of the single sender, and whether the address's domain is verified. */
export interface SenderIdentity {
  senderStatus: SenderStatus | null;
  isDomainVerified: boolean;
}

/** Asked for every message that is accepted. */
export abstract class SenderIdentities {
  /** `domainName` is compared as a whole: a domain does not stand for its sub-domains. */
  abstract find(accountId: string, normalisedEmail: string, domainName: string): Promise<SenderIdentity>;
}
