import type { ClaimedMessage } from '../../../messages/index.js';

export interface ProviderReceipt {
  /** `smtp`, … */
  provider: string;
  providerMessageId: string;
  /** What the provider said when it took the message. */
  response: string;
}

export abstract class EmailProvider {
  /**
   * Hands the message to the account's provider. Resolves when the provider has taken it; throws a
   * PermanentDeliveryError or a TransientDeliveryError, whose message is the provider's own.
   */
  abstract send(message: ClaimedMessage): Promise<ProviderReceipt>;
}
