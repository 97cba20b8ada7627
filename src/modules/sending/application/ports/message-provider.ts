import type { SubmissionCheck } from '../../../../shared/submission-check.js';
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
   * Hands the message to the provider of its account and channel. Waits until a connection is free, then for the check,
   * and lets nothing come between the check and the beginning of the submission. Resolves when the provider has taken
   * the message; throws what the check throws, or one of the delivery errors, whose message is the provider's own.
   */
  abstract send(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt>;
}
