import { Injectable } from '@nestjs/common';

import { ElapsedTime } from '../../../concurrency/lease.js';
import {
  LeaseEndedError,
  noConsentText,
  RecipientSuppressedError,
  type SubmissionCheck,
  suppressedText,
} from '../../../shared/submission-check.js';
import { unsubscribedText } from '../../../shared/topic-texts.js';
import { type ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import { type SubmissionRefusal, SuppressionList } from '../../suppression/index.js';
import {
  CampaignStoppedError,
  isRefusal,
  QuietHoursError,
  StoppingError,
  SubmissionNotCheckedError,
} from '../domain/submission-refused.js';
import { ConsentOfResent } from './consent-of-resent.service.js';
import { QuietHoursOfAccount } from './quiet-hours-of-account.service.js';

/** The longest time between the check and the beginning of the submission. */
const CONFIRMED_FOR_MS = 20;

/**
 * Checks that the recipient of a claimed message is not suppressed, out of its topic, in quiet hours or, for a
 * campaign, without a consent that the account requires; that the campaign is not stopped; and that no other worker can
 * have claimed the message.
 */
@Injectable()
export class CheckSubmission {
  constructor(
    private readonly deliveries: PendingDeliveryRepository,
    private readonly suppressions: SuppressionList,
    private readonly quietHours: QuietHoursOfAccount,
    private readonly consents: ConsentOfResent,
  ) {}

  /** The end of the quiet hours in which the message must not be submitted now; null if it may be. */
  quietUntil(message: ClaimedMessage): Promise<Date | null> {
    return this.quietHours.until(message);
  }

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
   * While the lease is safe by the clocks of this process, this costs a share of one statement, and two more for a
   * resent message. A process that was paused renews the lease first; if it was paused during the check, it checks
   * again.
   */
  private async confirm(message: ClaimedMessage): Promise<void> {
    const { lease } = message;
    do {
      if (!lease.isSafe()) await this.deliveries.renew([message]);
      if (!lease.isSafe()) throw new LeaseEndedError();
      const refusal = await this.suppressions.findRefusal(message);
      // A message whose topic was deleted after its acceptance is sent to everybody who was not out of the topic.
      if (refusal !== null && refusal !== 'unknown_topic') throw toError(refusal, message);
      if (message.resentFrom !== null && (await this.consents.isLacking(message, message.resentFrom)))
        throw toError('no_consent', message);
      const until = await this.quietHours.until(message);
      if (until) throw new QuietHoursError(until);
    } while (!lease.isSafe());
  }
}

function toError(refusal: Exclude<SubmissionRefusal, 'unknown_topic'>, { channel, recipient }: ClaimedMessage): Error {
  if (typeof refusal === 'object') return new RecipientSuppressedError(unsubscribedText(recipient, refusal.topic));
  if (refusal === 'suppressed') return new RecipientSuppressedError(suppressedText(channel, recipient));
  if (refusal === 'no_consent') return new RecipientSuppressedError(noConsentText(recipient));
  return new CampaignStoppedError(refusal === 'campaign_paused' ? 'paused' : 'canceled');
}
