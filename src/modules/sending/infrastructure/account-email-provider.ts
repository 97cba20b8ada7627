import { Injectable } from '@nestjs/common';

import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { SenderDirectory } from '../../senders/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { TrackHtml } from '../../tracking/index.js';
import type { ProviderReceipt } from '../application/ports/message-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { deriveText } from '../domain/derive-text.js';
import { SesEmailProvider } from './ses-email-provider.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';

/** The provider that the account's settings name at the time of the hand-over. */
@Injectable()
export class AccountEmailProvider {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly senders: SenderDirectory,
    private readonly ses: SesEmailProvider,
    private readonly smtp: SmtpEmailProvider,
    private readonly trackHtml: TrackHtml,
  ) {}

  /**
   * A sender that is not verified for this provider may be verified again: the message waits for that as for settings.
   */
  async send(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const provider = await this.providers.find(message.accountId);
    if (!provider) throw new TransientDeliveryError('No SMTP relay is configured');
    const fault = await this.senders.findFault(message.accountId, message.sender, provider);
    if (fault !== null) throw new TransientDeliveryError(fault);
    const outgoing = provider.tracking === 'native' ? await this.tracked(message) : message;
    return provider.kind === 'ses'
      ? this.ses.send(outgoing, provider, check)
      : this.smtp.send(outgoing, provider, check);
  }

  /** A text part is derived before: its links show, and lead straight to, where they go. */
  private async tracked(message: ClaimedMessage): Promise<ClaimedMessage> {
    const { html, text } = message;
    if (html === null) return message;
    return { ...message, text: text ?? (await deriveText(html)), html: await this.trackHtml.track(message, html) };
  }
}
