import type { ProviderKey } from '../../../../shared/provider-key.js';

/** Which senders SES was asked to verify. */
export abstract class SesVerificationRequests {
  /** Records that an identity was created for the sender. Returns false if the sender was deleted. */
  abstract recordIdentity(accountId: string, senderId: string, providerKey: ProviderKey): Promise<boolean>;

  /** Whether another account of the installation has requested a link from SES for the address. */
  abstract isRequestedByOthers(accountId: string, normalisedEmail: string): Promise<boolean>;
}
