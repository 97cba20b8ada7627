import type { VisibleRecipients } from '../../../../shared/mail-recipients.js';
import type { SubmissionCheck } from '../../../../shared/submission-check.js';
import type { ClaimedMessage } from '../../../messages/index.js';

export interface ProviderReceipt {
  /** `smtp`, `ses` or `sns`. */
  provider: string;
  providerMessageId: string;
  /** The provider's reply when it accepted the message. */
  response: string;
}

export interface OutgoingAttachment {
  filename: string;
  contentType: string;
  contentId: string | null;
  /** Lines of base64, each of which ends in CRLF. */
  encoded: readonly Buffer[];
}

/** A message with everything that its mail has. */
export type OutgoingMessage = ClaimedMessage & {
  /** Null for a message that shows its own recipient. */
  visible?: VisibleRecipients | null;
  attachments?: readonly OutgoingAttachment[];
  /** The mail as submitted, in pieces that end with a line; the first one has all headers. Replaces the above. */
  source?: readonly Buffer[];
};

/** What a mail is composed from. */
export type MailContent = Omit<
  OutgoingMessage,
  'lease' | 'claimId' | 'attempt' | 'placeholders' | 'hasAttachments' | 'unreadBytes'
>;

export abstract class MessageProvider {
  /**
   * Submits the message to the provider of its account and channel. Waits for a free connection, then runs the check,
   * and begins the submission immediately after it. Resolves once the provider has accepted the message. Throws what
   * the check throws, or a delivery error with the provider's own message.
   */
  abstract send(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt>;
}
