import type { SubmissionCheck } from '../../../../shared/submission-check.js';
import type { ClaimedMessage } from '../../../messages/index.js';

export interface ProviderReceipt {
  /** `smtp`, `ses` or `sns`. */
  provider: string;
  providerMessageId: string;
  /** The provider's reply when it accepted the message. */
  response: string;
}

export abstract class MessageProvider {
  /**
   * Submits the message to the provider of its account and channel. Waits for a free connection, then runs the check,
   * and begins the submission immediately after it. Resolves once the provider has accepted the message. Throws what
   * the check throws, or a delivery error with the provider's own message.
   */
  abstract send(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt>;
}
