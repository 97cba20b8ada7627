import type { AttachedFile } from '../../../../mail/writing/build-mail.js';
import type { RawMail } from '../../../../mail/writing/mail-content.js';
import type { VisibleRecipients } from '../../../../shared/mail-recipients.js';
import type { SubmissionCheck } from '../../../../shared/submission-check.js';
import type { ProviderReceipt } from '../../../../providers/index.js';
import type { ClaimedMessage } from '../../../messages/index.js';

export type { ProviderReceipt };

export type OutgoingAttachment = AttachedFile;

/** A message with everything that its mail contains. */
export type OutgoingMessage = ClaimedMessage & {
  /** Null for a message that shows its own recipient. */
  visible?: VisibleRecipients | null;
  attachments?: readonly OutgoingAttachment[];
  /** The mail as submitted, in pieces that end with a line; the first one has all headers. Replaces the above. */
  source?: readonly Buffer[];
};

/** The content that a mail is composed from. */
export type MailContent = Omit<
  OutgoingMessage,
  'lease' | 'claimId' | 'attempt' | 'placeholders' | 'hasAttachments' | 'unreadBytes'
>;

export abstract class MessageProvider {
  /**
   * The mail as it is submitted to the account's provider, with the tracking, headers and signature of its settings.
   */
  abstract compose(message: MailContent): Promise<RawMail>;

  /**
   * Submits the message to the provider of its account and channel. Waits for a free connection, then runs the check,
   * and begins the submission immediately after it. Resolves once the provider has accepted the message. Throws what
   * the check throws, or a delivery error with the provider's own message.
   */
  abstract send(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt>;
}
