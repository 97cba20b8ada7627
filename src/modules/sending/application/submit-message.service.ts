import { Injectable } from '@nestjs/common';

import type { ClaimedMessage } from '../../messages/index.js';
import { CheckSubmission } from './check-submission.service.js';
import { CompleteMessage } from './complete-message.service.js';
import { MessageProvider, type ProviderReceipt } from './ports/message-provider.js';
import { RenderCampaign } from './render-campaign.service.js';

/** Submits a claimed message with its content to the provider. */
@Injectable()
export class SubmitMessage {
  constructor(
    private readonly campaigns: RenderCampaign,
    private readonly complete: CompleteMessage,
    private readonly checks: CheckSubmission,
    private readonly provider: MessageProvider,
  ) {}

  /** See `MessageProvider.send`. Throws PermanentDeliveryError if the content cannot be rendered. */
  async submit(message: ClaimedMessage, stopping: AbortSignal): Promise<ProviderReceipt> {
    const check = this.checks.forMessage(message, stopping);
    return this.complete.completed(await this.campaigns.fill(message), stopping, (outgoing) =>
      this.provider.send(outgoing, check),
    );
  }
}
