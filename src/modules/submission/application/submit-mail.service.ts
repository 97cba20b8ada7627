import { Injectable } from '@nestjs/common';

import { isEmailAddress } from '../../../shared/email-address.js';
import { AcceptEmail, IdempotentSend } from '../../sending/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../domain/refusal.js';
import type { SubmissionClient } from './authenticate-client.service.js';
import { type MailRules, readMail } from './read-mail.js';

export interface Submission {
  messageId: string;
  /** All messages that were accepted; empty for a mail that was accepted before. */
  accepted: string[];
}

/** Accepts mails that are submitted by SMTP. */
@Injectable()
export class SubmitMail {
  constructor(
    private readonly suppressions: SuppressionList,
    private readonly acceptEmail: AcceptEmail,
    private readonly idempotentSend: IdempotentSend,
  ) {}

  /** Throws a Refusal for an address that is none, or that the account must not send to. */
  async checkRecipient({ accountId }: SubmissionClient, email: string): Promise<void> {
    if (!isEmailAddress(email)) throw new Refusal(553, '5.1.3 The address is not valid');
    if (await this.suppressions.isSuppressed(accountId, 'email', email))
      throw new Refusal(550, `5.7.1 ${email} is suppressed`);
  }

  /** Once this resolves, a message to each of the recipients is stored; before, none is. */
  async submit(
    { accountId, apiKeyId, dailyLimit }: SubmissionClient,
    recipients: readonly string[],
    mail: ReceivedMail,
    rules: MailRules,
  ): Promise<Submission> {
    const { idempotencyKey, ...request } = await readMail(mail, recipients, rules);
    const complete = { ...request, accountId, apiKeyId, keyLimit: dailyLimit, idempotencyKey };
    const result = await this.idempotentSend.acceptOnce(complete, () => this.acceptEmail.accept(complete));
    const { messageId } = result;
    if (!('copies' in result)) return { messageId, accepted: [] };
    return { messageId, accepted: [messageId, ...result.copies.map((copy) => copy.messageId)] };
  }
}
