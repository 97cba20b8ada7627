import type { ClaimedMessage } from '../../../messages/index.js';

export interface ProviderReceipt {
  /** `smtp`, `ses` or `sns`. */
  provider: string;
  providerMessageId: string;
  /** What the provider said when it took the message. */
  response: string;
}

export abstract class MessageProvider {
  /**
   * Hands the message to the provider of its account and channel. Resolves when the provider has taken it; throws one of
   * the delivery errors, whose message is the provider's own.
   */
  abstract send(message: ClaimedMessage): Promise<ProviderReceipt>;
}
