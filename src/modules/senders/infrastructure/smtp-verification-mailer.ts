import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { SmtpTransports } from '../../../platform/smtp/smtp-transports.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { ProviderFailure } from '../../../shared/domain-error.js';
import { VerificationMailer } from '../application/ports/sender-verification.js';
import type { Sender } from '../domain/sender.js';
import { relayFailure } from './relay-failure.js';
import { verificationMail } from './verification-mail.js';

/** A user waits for the result. */
const SEND_TIMEOUT_MS = 15_000;

@Injectable()
export class SmtpVerificationMailer extends VerificationMailer {
  private readonly logger = new Logger(SmtpVerificationMailer.name);

  constructor(
    private readonly transports: SmtpTransports,
    private readonly config: Config,
  ) {
    super();
  }

  async mail(relay: SmtpRelay | null, { accountId, email }: Sender, token: string): Promise<void> {
    if (!relay) throw new ProviderFailure('no SMTP relay is configured');
    try {
      await this.transports.get(relay).sendMail({
        from: this.config.mailFrom,
        to: { name: '', address: deliverableEmail(email) },
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...verificationMail(`${this.config.baseUrl}/verify-sender/${token}`),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
    } catch (error) {
      this.logger.warn(`A verification mail of account ${accountId} was not sent: ${withoutReply(error)}`);
      throw relayFailure(error);
    }
  }
}

/** Omits the relay's reply, which names the recipient: addresses are not logged. */
function withoutReply(error: unknown): string {
  const { message, responseCode } = error as Error & { responseCode?: number };
  return responseCode === undefined ? message : `the relay answered ${responseCode}`;
}
