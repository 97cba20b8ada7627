import { Injectable } from '@nestjs/common';

import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { Simulator, SIMULATOR } from '../../simulator/index.js';
import type { OutgoingMessage, ProviderReceipt } from '../application/ports/message-provider.js';
import { PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';
import { RecipientSuppressedError, suppressedText } from '../domain/submission-refused.js';

/** Submits to the simulator instead of a provider. */
@Injectable()
export class SimulatorMessageProvider {
  constructor(private readonly simulator: Simulator) {}

  async send(message: OutgoingMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { id, accountId, channel, normalisedRecipient, attempt } = message;
    await check.confirm();
    const reply = await this.simulator.submit({ id, accountId, channel, recipient: normalisedRecipient, attempt });
    switch (reply.kind) {
      case 'accepted': {
        const { providerMessageId } = reply;
        return { provider: SIMULATOR, providerMessageId, response: '250 2.0.0 simulated' };
      }
      case 'delayed':
        throw new TransientDeliveryError(reply.reply, { isSimulated: true, retryAfterMs: reply.retryAfterMs });
      case 'refused':
        throw new PermanentDeliveryError(reply.reply, { isSimulated: true });
      case 'suppressed':
        throw new RecipientSuppressedError(suppressedText(channel, message.recipient));
    }
  }
}
