import { Injectable } from '@nestjs/common';

import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import {
  AcceptEmail,
  type AcceptedEmail,
  type EmailRequest,
  expiredMeanwhile,
  IdempotentSend,
} from '../../sending/index.js';
import { isSimulatedSuppression } from '../../../providers/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import type { SubmissionClient } from './authenticate-client.service.js';
import type { MailRequest, MailRules } from './mail-request.js';
import { readMailOf } from './read-mail-task.js';

export interface Submission {
  messageId: string;
  /** All messages that were accepted; empty for a mail that was accepted before. */
  accepted: string[];
}

type CompleteRequest = MailRequest & Pick<EmailRequest, 'accountId' | 'testOf' | 'keyLimit'> & { apiKeyId: string };

/** Each try finds the recipients whom a concurrent session has served meanwhile. */
const MAX_TRIES = 5;

/** Accepts mails that are submitted by SMTP. */
@Injectable()
export class SubmitMail {
  constructor(
    private readonly suppressions: SuppressionList,
    private readonly acceptEmail: AcceptEmail,
    private readonly idempotentSend: IdempotentSend,
  ) {}

  /** Throws a Refusal for text that is not an address, and for an address that the account must not send to. */
  async checkRecipient({ accountId, testOf }: SubmissionClient, email: string): Promise<void> {
    if (!isEmailAddress(email)) throw new Refusal(553, '5.1.3 The address is not valid');
    const isSuppressed =
      isSimulatedSuppression('email', normaliseEmail(email), testOf !== null) ||
      (await this.suppressions.isSuppressed(accountId, 'email', email));
    if (isSuppressed) throw new Refusal(550, `5.7.1 ${email} is suppressed`);
  }

  /** Once this resolves, a message to each of the recipients is stored; before, none is. */
  async submit(
    { accountId, testOf, apiKeyId, dailyLimit }: SubmissionClient,
    recipients: readonly string[],
    mail: ReceivedMail,
    rules: MailRules,
  ): Promise<Submission> {
    const read = await readMailOf(accountId, { mail, recipients, rules });
    const request = { ...read, accountId, testOf, apiKeyId, keyLimit: dailyLimit, idempotencyKey: read.idempotencyKey };
    if (request.submitted.copies.some((copy) => copy.idempotencyKey)) return this.submitToNew(request);
    const result = await this.idempotentSend.acceptOnce(request, this.acceptEmail.accept(request));
    return 'copies' in result ? submissionOf(result) : { messageId: result.messageId, accepted: [] };
  }

  /**
   * Leaves out the recipients who have received this mail before. Repeats that if one receives it from another session.
   */
  private async submitToNew(request: CompleteRequest): Promise<Submission> {
    const { accountId, apiKeyId, submitted } = request;
    const first = { email: request.to, role: submitted.role, idempotencyKey: request.idempotencyKey };
    const all = [first, ...submitted.copies];
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const earlier = await Promise.all(
        all.map(({ idempotencyKey }) => this.idempotentSend.findEarlier({ accountId, apiKeyId, idempotencyKey })),
      );
      const [to, ...others] = all.filter((_, i) => earlier[i] === null);
      if (!to) return { messageId: earlier[0]?.messageId ?? '', accepted: [] };
      const copies = submitted.copies.filter((copy) => others.includes(copy));
      const { email, role, idempotencyKey } = to;
      const changes = { to: email, idempotencyKey, submitted: { ...submitted, role, copies } };
      const result = await this.acceptEmail.accept({ ...request, ...changes });
      if (result.outcome === 'accepted') return submissionOf(result);
    }
    throw expiredMeanwhile();
  }
}

const submissionOf = ({ messageId, copies }: Pick<AcceptedEmail, 'messageId' | 'copies'>): Submission => ({
  messageId,
  accepted: [messageId, ...copies.map((copy) => copy.messageId)],
});
