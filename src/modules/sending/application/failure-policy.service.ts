import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { DeliveryPauses } from '../../provider-settings/index.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../messages/index.js';
import {
  HardBounceError,
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../domain/delivery-error.js';
import { hasWaitedTooLong, retryDelayMs, throttledDelayMs } from '../domain/retry-schedule.js';
import { SendingRate } from './ports/sending-rate.js';
import { RecordBounce } from './record-bounce.service.js';

/** Decides the outcome of a failed attempt, and slows down or pauses the account where the error calls for it. */
@Injectable()
export class FailurePolicy {
  private readonly logger = new Logger(FailurePolicy.name);

  constructor(
    private readonly rate: SendingRate,
    private readonly pauses: DeliveryPauses,
    private readonly bounces: RecordBounce,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  async decide(message: ClaimedMessage, error: Error): Promise<DeliveryOutcome> {
    if (error instanceof HardBounceError) return { kind: 'bounced', error: error.message };
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
    return this.retry(message, error);
  }

  recordBounce(message: ClaimedMessage, outcome: DeliveryOutcome & { kind: 'bounced' }): Promise<boolean> {
    return this.bounces.record(message, outcome);
  }

  private postpone({ acceptedAt }: ClaimedMessage, error: Error, delayMs: number): DeliveryOutcome {
    if (hasWaitedTooLong(acceptedAt, this.clock.now()))
      return { kind: 'failed', error: `Gave up after two days: ${error.message}` };
    return { kind: 'postponed', error: error.message, nextAttemptAt: this.inMs(delayMs) };
  }

  /** An internal error is retried like one of the provider, so that a fixed release still delivers the message. */
  private retry({ id, attempt }: ClaimedMessage, error: Error): DeliveryOutcome {
    const isInternal = !(error instanceof TransientDeliveryError);
    if (isInternal) this.logger.error(`Message ${id}: ${error.message}`, error.stack);
    const reason = isInternal ? 'Internal error' : error.message;
    const delayMs = retryDelayMs(attempt, this.random.next());
    if (delayMs === null) return { kind: 'failed', error: `Gave up after ${attempt} attempts: ${reason}` };
    const outcomeUnknown = error instanceof UnknownOutcomeError;
    const wantedMs = isInternal ? undefined : error.details.retryAfterMs;
    return { kind: 'retry', error: reason, nextAttemptAt: this.inMs(wantedMs ?? delayMs), outcomeUnknown };
  }

  private inMs(delayMs: number): Date {
    return new Date(this.clock.now().getTime() + delayMs);
  }
}
