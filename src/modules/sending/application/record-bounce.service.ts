import { Injectable } from '@nestjs/common';

import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type ClaimedMessage, PendingDeliveryRepository, type DeliveryOutcome } from '../../messages/index.js';
import { SuppressAddresses } from '../../suppression/index.js';

/** Records that the address does not exist and suppresses it, as for a bounce that the provider reports later. */
@Injectable()
export class RecordBounce {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly deliveries: PendingDeliveryRepository,
    private readonly suppressions: SuppressAddresses,
  ) {}

  /**
   * Writes status, timeline, suppression and outbox event in one transaction. False, with no effect, if the claim is
   * lost.
   */
  record(message: ClaimedMessage, outcome: DeliveryOutcome & { kind: 'bounced' }): Promise<boolean> {
    const { id, accountId, channel } = message;
    return this.transactions.runInLane(accountId, async () => {
      const recorded = await this.deliveries.recordWithin(message, outcome);
      if (!recorded) return false;
      // Not the address of the claim: the recipient may have been erased meanwhile.
      const { recipient, contactId, campaignId } = recorded;
      await this.suppressions.suppress([
        {
          accountId,
          channel,
          address: recipient,
          reason: 'bounced',
          source: 'provider',
          messageLogId: id,
          contactId,
          campaignId,
          diagnosticCode: outcome.error,
        },
      ]);
      return true;
    });
  }
}
