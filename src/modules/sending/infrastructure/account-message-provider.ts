import { Injectable } from '@nestjs/common';

import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { SenderDirectory } from '../../senders/index.js';
import { isSimulatedRecipient } from '../../simulator/index.js';
import { TrackHtml } from '../../tracking/index.js';
import { MessageProvider, type OutgoingMessage, type ProviderReceipt } from '../application/ports/message-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { SesEmailProvider } from './ses-email-provider.js';
import { SimulatorMessageProvider } from './simulator-message-provider.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';
import { SnsSmsProvider } from './sns-sms-provider.js';
import { tracked } from './tracked-message.js';

/**
 * Submits through the provider in the account's settings at the time of the attempt. Messages of test accounts, and
 * those to test addresses, go to the simulator, which is decided here, whatever was checked before.
 */
@Injectable()
export class AccountMessageProvider extends MessageProvider {
  // eslint-disable-next-line @typescript-eslint/max-params -- one per provider
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly senders: SenderDirectory,
    private readonly ses: SesEmailProvider,
    private readonly smtp: SmtpEmailProvider,
    private readonly sns: SnsSmsProvider,
    private readonly simulator: SimulatorMessageProvider,
    private readonly trackHtml: TrackHtml,
  ) {
    super();
  }

  async send(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    if (isSimulatedRecipient(message.channel, message.normalisedRecipient)) return this.simulator.send(message, check);
    return message.channel === 'email' ? this.sendEmail(message, check) : this.sendSms(message, check);
  }

  /** The error for an unverified sender is transient: it may be verified again, or the settings may change. */
  private async sendEmail(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const provider = await this.providers.find(message.accountId);
    if (!provider) throw new TransientDeliveryError('No SMTP relay is configured');
    if (provider.kind === 'simulator') return this.simulator.send(message, check);
    const fault = await this.senders.findFault(message.accountId, message.sender, provider);
    if (fault !== null) throw new TransientDeliveryError(fault);
    const outgoing = provider.tracking === 'native' ? await tracked(message, this.trackHtml) : message;
    return provider.kind === 'ses'
      ? this.ses.send(outgoing, provider, check)
      : this.smtp.send(outgoing, provider, check);
  }

  private async sendSms(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const provider = await this.providers.findSms(message.accountId);
    if (provider) return this.sns.send(message, provider, check);
    const { kind } = (await this.providers.find(message.accountId)) ?? {};
    if (kind === 'simulator') return this.simulator.send(message, check);
    throw new TransientDeliveryError('SMS is not enabled');
  }
}
