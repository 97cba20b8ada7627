import type { SmtpRelay } from '../../../../shared/smtp-relay.js';
import type { Sender } from '../../domain/sender.js';

/** Mails the link that verifies a sender. */
export abstract class VerificationMailer {
  /**
   * Takes 15 seconds at most. Throws a DomainError of the kind `provider` where there is no relay or it did not take
   * the mail; the mail may then have gone out all the same.
   */
  abstract mail(relay: SmtpRelay | null, sender: Sender, token: string): Promise<void>;
}
