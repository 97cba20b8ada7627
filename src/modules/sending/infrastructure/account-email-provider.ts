import { Injectable } from '@nestjs/common';

import { ProviderDirectory } from '../../accounts/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { EmailProvider, type ProviderReceipt } from '../application/ports/email-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { SesEmailProvider } from './ses-email-provider.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';

/** The provider that the account's settings name at the time of the hand-over. */
@Injectable()
export class AccountEmailProvider extends EmailProvider {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly ses: SesEmailProvider,
    private readonly smtp: SmtpEmailProvider,
  ) {
    super();
  }

  async send(message: ClaimedMessage): Promise<ProviderReceipt> {
    const provider = await this.providers.find(message.accountId);
    if (!provider) throw new TransientDeliveryError('No SMTP relay is configured');
    return provider.kind === 'ses' ? this.ses.send(message, provider) : this.smtp.send(message, provider);
  }
}
