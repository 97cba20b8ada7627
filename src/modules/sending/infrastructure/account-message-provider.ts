import { Injectable } from '@nestjs/common';

import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { SenderDirectory } from '../../senders/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { TrackHtml } from '../../tracking/index.js';
import { MessageProvider, type ProviderReceipt } from '../application/ports/message-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { deriveText } from '../domain/derive-text.js';
import { SesEmailProvider } from './ses-email-provider.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';
import { SnsSmsProvider } from './sns-sms-provider.js';

/** Submits through the provider in the account's settings at the time of the attempt. */
@Injectable()
export class AccountMessageProvider extends MessageProvider {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly senders: SenderDirectory,
    private readonly ses: SesEmailProvider,
    private readonly smtp: SmtpEmailProvider,
    private readonly sns: SnsSmsProvider,
    private readonly trackHtml: TrackHtml,
  ) {
    super();
  }

  async send(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    if (message.channel === 'email') return this.sendEmail(message, check);
    const provider = await this.providers.findSms(message.accountId);
    if (!provider) throw new TransientDeliveryError('SMS is not enabled');
    return this.sns.send(message, provider, check);
  }

  /** The error for an unverified sender is transient: it may be verified again, or the settings may change. */
  private async sendEmail(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const provider = await this.providers.find(message.accountId);
    if (!provider) throw new TransientDeliveryError('No SMTP relay is configured');
    const fault = await this.senders.findFault(message.accountId, message.sender, provider);
    if (fault !== null) throw new TransientDeliveryError(fault);
    const outgoing = provider.tracking === 'native' ? await this.tracked(message) : message;
    return provider.kind === 'ses'
      ? this.ses.send(outgoing, provider, check)
      : this.smtp.send(outgoing, provider, check);
  }

  /** Derives a missing text part before the links are rewritten, so that its links lead directly to their targets. */
  private async tracked(message: ClaimedMessage): Promise<ClaimedMessage> {
    const { html, text } = message;
    if (html === null) return message;
    return { ...message, text: text ?? (await deriveText(html)), html: await this.trackHtml.track(message, html) };
  }
}
