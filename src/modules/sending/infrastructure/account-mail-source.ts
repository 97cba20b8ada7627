import { Injectable } from '@nestjs/common';

import { emailDomain } from '../../../shared/email-address.js';
import { SigningKeys } from '../../domains/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { TrackHtml } from '../../tracking/index.js';
import { MailSource } from '../application/ports/mail-source.js';
import type { MailContent } from '../application/ports/message-provider.js';
import { composeEmail } from './compose-email.js';
import { signMail } from './sign-mail.js';
import { tracked } from './tracked-message.js';
import { vendorHeaders } from './vendor-headers.js';

@Injectable()
export class AccountMailSource extends MailSource {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly signingKeys: SigningKeys,
    private readonly trackHtml: TrackHtml,
  ) {
    super();
  }

  async compose(message: MailContent): Promise<string> {
    const provider = await this.providers.find(message.accountId);
    const outgoing = provider?.tracking === 'native' ? await tracked(message, this.trackHtml) : message;
    const headers = provider?.kind === 'smtp' ? vendorHeaders(provider, message.id) : {};
    const { raw, rest = [] } = await composeEmail(outgoing, headers);
    const key =
      provider?.kind === 'smtp' ? await this.signingKeys.find(message.accountId, emailDomain(message.sender)) : null;
    return Buffer.concat([key ? await signMail(raw, key, rest) : raw, ...rest]).toString();
  }
}
