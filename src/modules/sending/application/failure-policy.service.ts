import { Injectable, Logger } from '@nestjs/common';

import { UnknownProviderError } from '../../../providers/index.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { Random } from '../../../shared/ports/random.js';
import { DeliveryPauses } from '../../provider-settings/index.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../messages/index.js';
import {
  HardBounceError,
  OptedOutError,
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../../../shared/delivery-error.js';
import { hasWaitedTooLong, releasedDelayMs, retryDelayMs, throttledDelayMs } from '../domain/retry-schedule.js';
import { SubmissionNotCheckedError } from '../domain/submission-refused.js';
import { SendingRate } from './ports/sending-rate.js';

/** Decides the outcome of a failed attempt, and slows down or pauses the account where the error calls for it. */
@Injectable()
export class FailurePolicy {
  private readonly logger = new Logger(FailurePolicy.name);

  constructor(
    private readonly rate: SendingRate,
    private readonly pauses: DeliveryPauses,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly faults: DatabaseFaults,
  ) {}

  /**
   * A database error, or the loss of a content thread, does not count as an attempt: nothing was submitted, since all
   * errors of a submission are typed. The longer the message has waited, the later it is tried again, for two days, as
   * with a provider that accepts nothing.
   */
  async decide(message: ClaimedMessage, error: Error): Promise<DeliveryOutcome> {
    if (error instanceof HardBounceError) return { kind: 'bounced', error: error.message };
    if (error instanceof OptedOutError) return { kind: 'opted_out', error: error.message };
    if (error instanceof PermanentDeliveryError) return { kind: 'failed', error: error.message };
    if (error instanceof ThrottledError) {
      await this.rate.slowDown(message.accountId, message.channel);
      return this.postpone(message, error, throttledDelayMs(this.random.next()));
    }
    if (error instanceof ProviderPausedError) {
      const { message: reason, settingsAt } = error;
      const pause = { reason, until: this.inMs(error.pauseMs), settingsAt };
      await this.pauses.begin(message.accountId, message.channel, pause);
      return this.postpone(message, error, error.pauseMs);
    }
    const fault = error instanceof SubmissionNotCheckedError ? error.cause : error;
    const isUnavailable = isUnavailability(fault) || this.faults.isUnavailable(fault);
    if (!(error instanceof TransientDeliveryError) && isUnavailable) return this.release(message, error);
    return this.retry(message, error);
  }

  /** An internal error is retried like one of the provider, so that a fixed release still delivers the message. */
  retry({ id, attempt }: ClaimedMessage, error: Error): DeliveryOutcome {
    const isInternal = !(error instanceof TransientDeliveryError || error instanceof UnknownProviderError);
    if (isInternal) this.logger.error(`Message ${id}: ${error.message}`, error.stack);
    const reason = isInternal ? 'Internal error' : error.message;
    const delayMs = retryDelayMs(attempt, this.random.next());
    if (delayMs === null) return { kind: 'failed', error: `Gave up after ${attempt} attempts: ${reason}` };
    const outcomeUnknown = error instanceof UnknownOutcomeError;
    const wantedMs = error instanceof TransientDeliveryError ? error.details.retryAfterMs : undefined;
    return { kind: 'retry', error: reason, nextAttemptAt: this.inMs(wantedMs ?? delayMs), outcomeUnknown };
  }

  private release({ id, acceptedAt }: ClaimedMessage, error: Error): DeliveryOutcome {
    const now = this.clock.now();
    if (hasWaitedTooLong(acceptedAt, now)) {
      this.logger.error(`Message ${id} is given up: ${error.message}`);
      return { kind: 'failed', error: 'Gave up after two days: Internal error' };
    }
    const nextAttemptAt = this.inMs(releasedDelayMs(acceptedAt, now));
    this.logger.warn(`Message ${id} is released until ${nextAttemptAt.toISOString()}: ${error.message}`);
    return { kind: 'released', nextAttemptAt };
  }

  private postpone({ acceptedAt }: ClaimedMessage, error: Error, delayMs: number): DeliveryOutcome {
    if (hasWaitedTooLong(acceptedAt, this.clock.now()))
      return { kind: 'failed', error: `Gave up after two days: ${error.message}` };
    return { kind: 'postponed', error: error.message, nextAttemptAt: this.inMs(delayMs) };
  }

  private inMs(delayMs: number): Date {
    return new Date(this.clock.now().getTime() + delayMs);
  }
}

/** An error such as the one thrown when the thread that works on the content is lost. */
const isUnavailability = (error: unknown): boolean => error instanceof DomainError && error.kind === 'unavailable';
