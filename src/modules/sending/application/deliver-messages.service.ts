import { Injectable, Logger } from '@nestjs/common';

import { channelOf, type DeliveryLane, laneOf } from '../../../shared/channel.js';
import { DeliveryPauses } from '../../provider-settings/index.js';
import { type ClaimedMessage, PendingDeliveryRepository, type DeliveryOutcome } from '../../messages/index.js';
import { FailurePolicy } from './failure-policy.service.js';
import { MAX_ATTEMPTS } from '../domain/retry-schedule.js';
import { SIMULATOR } from '../../../providers/index.js';
import { simulationOf } from '../../../shared/delivery-error.js';
import { RecipientSuppressedError } from '../../../shared/submission-check.js';
import { CampaignStoppedError, isRefusal, QuietHoursError } from '../domain/submission-refused.js';
import { SendingRate } from './ports/sending-rate.js';
import { RecordRefusedRecipient } from './record-refused-recipient.service.js';
import { SubmitMessage } from './submit-message.service.js';

export interface DeliveryReport {
  messageId: string;
  attempt: number;
  /** `claim_lost`: the lease ended during the attempt, and another worker has claimed the message. */
  outcome: DeliveryOutcome['kind'] | 'claim_lost';
  /** Duration of the attempt, without the wait for a permit. */
  durationMs: number;
  /** The message was submitted to the simulator. */
  isSimulated: boolean;
  /** Set if the next attempt is due before a sweep finds it. */
  retryInMs?: number;
}

interface Attempt extends Pick<DeliveryReport, 'isSimulated' | 'retryInMs'> {
  outcome: DeliveryOutcome;
}

/** Makes one attempt to deliver each of the given messages. */
@Injectable()
export class DeliverMessages {
  private readonly logger = new Logger(DeliverMessages.name);
  private readonly inFlight = new Set<ClaimedMessage>();

  constructor(
    private readonly deliveries: PendingDeliveryRepository,
    private readonly submitMessage: SubmitMessage,
    private readonly rate: SendingRate,
    private readonly pauses: DeliveryPauses,
    private readonly failurePolicy: FailurePolicy,
    private readonly refusals: RecordRefusedRecipient,
  ) {}

  /**
   * Attempts the messages that are due and that no other worker has claimed, and calls `report` for each once its
   * outcome is recorded. While the account's channel is paused, attempts none. Once `stopping` is aborted, begins no
   * further attempt and releases the claims that are left.
   */
  async deliver(
    lane: DeliveryLane,
    accountId: string,
    messageIds: readonly string[],
    stopping: AbortSignal,
    report: (report: DeliveryReport) => void,
  ): Promise<void> {
    const pause = await this.pauses.find(accountId, channelOf(lane));
    if (pause) {
      await this.deliveries.postpone(accountId, messageIds, pause.until);
      return;
    }
    const messages = await this.deliveries.claim(accountId, messageIds);
    for (const message of messages) this.inFlight.add(message);
    const results = await Promise.allSettled(messages.map((message) => this.deliverOne(message, stopping, report)));
    const fault = results.find((result) => result.status === 'rejected');
    if (fault) throw fault.reason;
  }

  private async deliverOne(
    message: ClaimedMessage,
    stopping: AbortSignal,
    report: (report: DeliveryReport) => void,
  ): Promise<void> {
    try {
      const earlyOutcome = await this.waitForPermit(message, stopping);
      const startedAt = performance.now();
      const attempted = earlyOutcome
        ? { outcome: earlyOutcome, isSimulated: false }
        : await this.submit(message, stopping);
      const durationMs = performance.now() - startedAt;
      const { id: messageId, attempt } = message;
      report({ messageId, attempt, ...attempted, outcome: await this.record(message, attempted.outcome), durationMs });
    } finally {
      this.inFlight.delete(message);
    }
  }

  /** Nothing is stored for a refusal that cannot be recorded: the next attempt gets the same reply. */
  private async record(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<DeliveryReport['outcome']> {
    if (outcome.kind !== 'bounced' && outcome.kind !== 'opted_out') {
      const isRecorded = await this.deliveries.record(message, outcome, this.faultLog(message));
      return isRecorded ? outcome.kind : 'claim_lost';
    }
    try {
      return (await this.refusals.record(message, outcome)) ? outcome.kind : 'claim_lost';
    } catch (error) {
      return this.record(message, this.failurePolicy.retry(message, error as Error));
    }
  }

  private faultLog({ id }: ClaimedMessage) {
    return {
      onRetry: ({ message }: Error) => {
        this.logger.warn(`The outcome of message ${id} is not recorded yet: ${message}`);
      },
      onUncheckedClicks: ({ message }: Error) => {
        this.logger.warn(`Clicks of message ${id} were not checked for scanners: ${message}`);
      },
    };
  }

  /** Renews the leases of the messages in flight. Must be called several times within the duration of a lease. */
  renewLeases(): Promise<void> {
    return this.deliveries.renew([...this.inFlight]);
  }

  /** Null once the message may be submitted, otherwise the outcome without a submission. */
  private async waitForPermit(message: ClaimedMessage, stopping: AbortSignal): Promise<DeliveryOutcome | null> {
    if (stopping.aborted) return { kind: 'released' };
    // Bounds the attempts for a message whose workers keep dying.
    if (message.attempt > MAX_ATTEMPTS) return { kind: 'failed', error: `Gave up after ${MAX_ATTEMPTS} attempts` };
    if (hasNoContent(message)) return { kind: 'failed', error: 'Its content is no longer kept' };
    try {
      // It must not take the permit of a message that may be sent; the check before the submission asks again.
      const quietUntil = await this.submitMessage.quietUntil(message);
      if (quietUntil) return { kind: 'rescheduled', scheduledAt: quietUntil };
      const isPermitted = await this.rate.waitForPermit(message.accountId, laneOf(message), stopping);
      return isPermitted ? null : { kind: 'released' };
    } catch (error) {
      return this.failurePolicy.decide(message, error as Error);
    }
  }

  private async submit(message: ClaimedMessage, stopping: AbortSignal): Promise<Attempt> {
    try {
      const receipt = await this.submitMessage.submit(message, stopping);
      return { outcome: { kind: 'sent', ...receipt }, isSimulated: receipt.provider === SIMULATOR };
    } catch (error) {
      if (isRefusal(error)) return { outcome: outcomeOfRefusal(error), isSimulated: false };
      const outcome = await this.failurePolicy.decide(message, error as Error);
      return { outcome, ...simulationOf(error) };
    }
  }
}

const hasNoContent = ({ html, text, placeholders, unreadBytes }: ClaimedMessage): boolean =>
  html === null && text === null && placeholders === null && unreadBytes === 0;

/** A released message becomes due again unless another worker has claimed it. */
function outcomeOfRefusal(refusal: Error): DeliveryOutcome {
  if (refusal instanceof QuietHoursError) return { kind: 'rescheduled', scheduledAt: refusal.until };
  if (refusal instanceof RecipientSuppressedError) return { kind: 'suppressed', error: refusal.message };
  if (refusal instanceof CampaignStoppedError) return { kind: refusal.status === 'paused' ? 'held' : 'canceled' };
  return { kind: 'released' };
}
