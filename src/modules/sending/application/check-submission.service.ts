import { Injectable } from '@nestjs/common';

import { ElapsedTime } from '../../../shared/lease.js';
import { LeaseEndedError, type SubmissionCheck } from '../../../shared/submission-check.js';
import { type ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import {
  isRefusal,
  RecipientSuppressedError,
  StoppingError,
  SubmissionNotCheckedError,
  suppressedText,
} from '../domain/submission-refused.js';

/** The longest time between the check and the beginning of the submission. */
const CONFIRMED_FOR_MS = 20;

/** Checks that the recipient of a claimed message is not suppressed and that no other worker can have claimed it. */
@Injectable()
export class CheckSubmission {
  constructor(
    private readonly deliveries: PendingDeliveryRepository,
    private readonly suppressions: SuppressionList,
  ) {}

  /** Refuses every submission once `stopping` is aborted. */
  forMessage(message: ClaimedMessage, stopping: AbortSignal): SubmissionCheck {
    const { lease } = message;
    let confirmed: ElapsedTime | null = null;
    return {
      confirm: async () => {
        if (stopping.aborted) throw new StoppingError('The process stops');
        await this.confirm(message).catch((error: unknown) => {
          throw isRefusal(error) ? error : new SubmissionNotCheckedError(error);
        });
        confirmed = new ElapsedTime();
      },
      isConfirmed: () => confirmed !== null && confirmed.ms < CONFIRMED_FOR_MS && lease.isSafe(),
      isHeld: () => lease.isSafe(),
    };
  }

  /**
   * While the lease is safe by the clocks of this process, this costs a share of one statement. A process that was
   * paused renews the lease first; if it was paused during the suppression check, it checks again.
   */
  private async confirm(message: ClaimedMessage): Promise<void> {
    const { accountId, channel, recipient, lease } = message;
    do {
      if (!lease.isSafe()) await this.deliveries.renew([message]);
      if (!lease.isSafe()) throw new LeaseEndedError();
      if (await this.suppressions.isSuppressed(accountId, channel, recipient))
        throw new RecipientSuppressedError(suppressedText(channel, recipient));
    } while (!lease.isSafe());
  }
}
