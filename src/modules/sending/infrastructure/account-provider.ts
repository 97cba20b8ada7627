import { Injectable } from '@nestjs/common';

import type { SubmissionCheck } from '../../../shared/submission-check.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { MessageProvider, type ProviderReceipt } from '../application/ports/message-provider.js';
import { AccountEmailProvider } from './account-email-provider.js';
import { AccountSmsProvider } from './account-sms-provider.js';

@Injectable()
export class AccountProvider extends MessageProvider {
  constructor(
    private readonly email: AccountEmailProvider,
    private readonly sms: AccountSmsProvider,
  ) {
    super();
  }

  send(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    return message.channel === 'sms' ? this.sms.send(message, check) : this.email.send(message, check);
  }
}
