import { Injectable } from '@nestjs/common';

import { SmtpTransports } from '../../../platform/smtp/smtp-transports.js';
import type { SmtpProvider } from '../../../shared/account-provider.js';
import { emailDomain } from '../../../shared/email-address.js';
import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { SigningKeys } from '../../domains/index.js';
import type { OutgoingMessage, ProviderReceipt } from '../application/ports/message-provider.js';
import { isFromCheck } from '../domain/submission-refused.js';
import { composeEmail } from './compose-email.js';
import { signMail } from './sign-mail.js';
import { toDeliveryError } from './smtp-error.js';
import { vendorHeaders } from './vendor-headers.js';

@Injectable()
export class SmtpEmailProvider {
  constructor(
    private readonly transports: SmtpTransports,
    private readonly signingKeys: SigningKeys,
  ) {}

  async send(message: OutgoingMessage, provider: SmtpProvider, check: SubmissionCheck): Promise<ProviderReceipt> {
    const mail = await composeEmail(message, vendorHeaders(provider, message.id));
    const key = await this.signingKeys.find(message.accountId, emailDomain(message.sender));
    if (key) mail.raw = await signMail(mail.raw, key, mail.rest);
    try {
      const response = await this.transports.submit(provider.relay, mail, check, message.campaignId !== null);
      return { provider: 'smtp', providerMessageId: mail.messageId, response };
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error);
    }
  }
}
