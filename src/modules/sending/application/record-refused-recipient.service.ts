import { Injectable } from '@nestjs/common';

import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type ClaimedMessage, PendingDeliveryRepository, type DeliveryOutcome } from '../../messages/index.js';
import { SuppressAddresses } from '../../suppression/index.js';

const REASONS = { bounced: 'bounced', opted_out: 'sms_opt_out' } as const;

/**
 * Records that the provider refused the recipient and suppresses it, as if the provider had reported it later: its
 * address does not exist, or it has opted out.
 */
@Injectable()
export class RecordRefusedRecipient {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly deliveries: PendingDeliveryRepository,
    private readonly suppressions: SuppressAddresses,
  ) {}

  /**
   * Writes status, timeline, suppression and outbox event in one transaction. False, with no effect, if the claim is
   * lost.
   */
  record(message: ClaimedMessage, outcome: DeliveryOutcome & { kind: keyof typeof REASONS }): Promise<boolean> {
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
          reason: REASONS[outcome.kind],
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
