import { Injectable } from '@nestjs/common';

import type { Channel } from '../../shared/channel.js';
import { PermanentDeliveryError, TransientDeliveryError } from '../../shared/delivery-error.js';
import { RecipientSuppressedError, type SubmissionCheck, suppressedText } from '../../shared/submission-check.js';
import type { MailConnection, ProviderReceipt } from '../capabilities/sending.js';
import { SIMULATOR } from './simulation.js';
import { Simulator } from './simulator.js';

/** The connection of a test account, which connects to nothing. */
export interface SimulatedConnection extends MailConnection {
  kind: 'simulator';
}

export const isSimulated = (connection: { kind: string }): connection is SimulatedConnection =>
  connection.kind === SIMULATOR;

/** A message as it was claimed. Its content is not read. */
interface ClaimedMessage {
  id: string;
  accountId: string;
  channel: Channel;
  recipient: string;
  normalisedRecipient: string;
  attempt: number;
}

/** Replaces the provider of either channel. No mail is composed for it, and any sender may be used. */
@Injectable()
export class SimulatorProvider {
  constructor(private readonly simulator: Simulator) {}

  async simulate(message: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { id, accountId, channel, recipient, normalisedRecipient, attempt } = message;
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
        throw new RecipientSuppressedError(suppressedText(channel, recipient));
    }
  }
}
