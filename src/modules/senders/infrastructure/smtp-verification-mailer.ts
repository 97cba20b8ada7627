import { once } from 'node:events';

import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { composeMail } from '../../../mail/writing/compose-mail.js';
import { SmtpRelays } from '../../../platform/smtp/smtp-relays.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { ProviderFailure } from '../../../shared/domain-error.js';
import { LeaseEndedError, type SubmissionCheck } from '../../../shared/submission-check.js';
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
    private readonly relays: SmtpRelays,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  async mail(relay: SmtpRelay | null, { accountId, email }: Sender, token: string): Promise<void> {
    if (!relay) throw new ProviderFailure('no SMTP relay is configured');
    const now = this.clock.now();
    const mail = composeMail({
      ...{ id: newId(now), acceptedAt: now, sender: this.config.mailFrom, senderName: null, recipient: email },
      ...{ replyTo: null, headers: { 'Auto-Submitted': 'auto-generated' }, unsubscribeUrl: null },
      ...verificationMail(`${this.config.baseUrl}/verify-sender/${token}`),
    });
    const limit = AbortSignal.timeout(SEND_TIMEOUT_MS);
    try {
      await Promise.race([this.relays.get(relay).submit(mail, notAfter(limit)), timeout(limit)]);
    } catch (error) {
      this.logger.warn(`A verification mail of account ${accountId} was not sent: ${withoutReply(error)}`);
      throw relayFailure(error);
    }
  }
}

/** A mail that waits for a connection or for the relay is not sent after its failure was reported. */
const notAfter = (limit: AbortSignal): SubmissionCheck => ({
  confirm: () => (limit.aborted ? Promise.reject(new LeaseEndedError()) : Promise.resolve()),
  isConfirmed: () => !limit.aborted,
  isHeld: () => !limit.aborted,
});

async function timeout(limit: AbortSignal): Promise<never> {
  await once(limit, 'abort');
  throw Object.assign(new Error('The SMTP relay did not answer in time'), { code: 'ETIMEDOUT' });
}

/** Omits the relay's reply, which names the recipient: addresses are not logged. */
function withoutReply(error: unknown): string {
  const { message, responseCode } = error as Error & { responseCode?: number };
  return responseCode === undefined ? message : `the relay answered ${responseCode}`;
}
