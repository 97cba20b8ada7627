import { Injectable } from '@nestjs/common';

import type { RawMail } from '../../../mail/writing/mail-content.js';
import { TransientDeliveryError } from '../../../shared/delivery-error.js';
import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { isSimulated, isSimulatedRecipient, Providers, SimulatorProvider } from '../../../providers/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { SenderDirectory } from '../../senders/index.js';
import {
  type MailContent,
  MessageProvider,
  type OutgoingMessage,
  type ProviderReceipt,
} from '../application/ports/message-provider.js';
import { ComposeForProvider } from './compose-for-provider.js';

/**
 * Submits through the provider in the account's settings at the time of the attempt. Messages of test accounts, and
 * those to test addresses, go to the simulator, which is decided here, whatever was checked before.
 */
@Injectable()
export class AccountMessageProvider extends MessageProvider {
  constructor(
    private readonly directory: ProviderDirectory,
    private readonly providers: Providers,
    private readonly simulator: SimulatorProvider,
    private readonly senders: SenderDirectory,
    private readonly mails: ComposeForProvider,
  ) {
    super();
  }

  async compose(message: MailContent): Promise<RawMail> {
    return this.mails.compose(message, await this.directory.find(message.accountId));
  }

  async send(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    if (isSimulatedRecipient(message.channel, message.normalisedRecipient))
      return this.simulator.simulate(message, check);
    return message.channel === 'email' ? this.sendEmail(message, check) : this.sendSms(message, check);
  }

  /** The error for an unverified sender is transient: it may be verified again, or the settings may change. */
  private async sendEmail(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { id, accountId, sender, campaignId } = message;
    const connection = await this.directory.find(accountId);
    if (!connection) throw new TransientDeliveryError('No SMTP relay is configured');
    if (isSimulated(connection)) return this.simulator.simulate(message, check);
    const fault = await this.senders.findFault(accountId, sender, connection);
    if (fault !== null) throw new TransientDeliveryError(fault);
    const mail = await this.mails.compose(message, connection);
    const email = { id, accountId, mail, isBulk: campaignId !== null };
    return this.providers.email(connection).sendEmail(email, connection, check);
  }

  private async sendSms(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { id, accountId, recipient, sender, text } = message;
    const connection = await this.directory.findSms(accountId);
    const sms = { id, accountId, recipient, sender, text: text ?? '' };
    if (connection) return this.providers.sms(connection).sendSms(sms, connection, check);
    const email = await this.directory.find(accountId);
    if (email && isSimulated(email)) return this.simulator.simulate(message, check);
    throw new TransientDeliveryError('SMS is not enabled');
  }
}
