import { Injectable } from '@nestjs/common';

import { SmtpTransports } from '../../../platform/smtp/smtp-transports.js';
import { RelayDirectory } from '../../accounts/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { EmailProvider, type ProviderReceipt } from '../application/ports/email-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { composeEmail } from './compose-email.js';
import { toDeliveryError } from './smtp-error.js';

@Injectable()
export class SmtpEmailProvider extends EmailProvider {
  constructor(
    private readonly relays: RelayDirectory,
    private readonly transports: SmtpTransports,
  ) {
    super();
  }

  async send(message: ClaimedMessage): Promise<ProviderReceipt> {
    const relay = await this.relays.find(message.accountId);
    if (!relay) throw new TransientDeliveryError('No SMTP relay is configured');
    const mail = await composeEmail(message);
    try {
      const response = await this.transports.handOver(relay, mail);
      return { provider: 'smtp', providerMessageId: mail.messageId, response };
    } catch (error) {
      throw toDeliveryError(error);
    }
  }
}
