import type { SmtpRelay } from '../../../../shared/smtp-relay.js';
import type { Sender } from '../../domain/sender.js';

/** Mails the link that verifies a sender. */
export abstract class VerificationMailer {
  /**
   * Takes at most 15 seconds. Throws a DomainError of the kind `provider` if there is no relay or it did not accept the
   * mail, which may have been sent all the same.
   */
  abstract mail(relay: SmtpRelay | null, sender: Sender, token: string): Promise<void>;
}
