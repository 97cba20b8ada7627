import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import { type AttemptOutcome, classifyAttempt } from '../domain/attempt-outcome.js';
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook-delivery.js';
import { PostAttempt } from './post-attempt.service.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

export interface Attempt {
  result: AttemptResult;
  outcome: AttemptOutcome;
}

export interface AttemptReport {
  delivery: ClaimedDelivery;
  statusCode: number | null;
  durationMs: number;
  /** `claim_lost`: the delivery was removed, or its lease ran out and another worker has claimed it. */
  outcome: AttemptOutcome['state'] | 'claim_lost';
}

/** Makes and records the one attempt that a claimed delivery is leased for. */
@Injectable()
export class AttemptDelivery {
  private readonly logger = new Logger(AttemptDelivery.name);

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly postAttempt: PostAttempt,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Null, with nothing posted, if another worker may have claimed the delivery while this process was paused. */
  async attempt(delivery: ClaimedDelivery): Promise<Attempt | null> {
    const result = await this.postWhileLeased(delivery).catch((error: unknown) => {
      this.logger.error(`Webhook delivery ${delivery.id}: ${(error as Error).message}`, (error as Error).stack);
      return this.internalError();
    });
    if (result === null) return null;
    return { result, outcome: classifyAttempt(result, delivery.number, this.clock.now(), this.random.next()) };
  }

  /** Resolves once the attempt is recorded, however long the database is away. */
  async record(delivery: ClaimedDelivery, attempt: Attempt | null): Promise<AttemptReport> {
    if (attempt === null) return { delivery, statusCode: null, durationMs: 0, outcome: 'claim_lost' };
    const { result, outcome } = attempt;
    const isRecorded = await this.deliveries.record(delivery, result, outcome, (error) => {
      this.logger.warn(`Attempt ${delivery.attemptId} is not recorded yet: ${error.message}`);
    });
    const { statusCode, durationMs } = result;
    return { delivery, statusCode, durationMs, outcome: isRecorded ? outcome.state : 'claim_lost' };
  }

  private async postWhileLeased(delivery: ClaimedDelivery): Promise<AttemptResult | null> {
    const { attemptId: id, number, event, body, lease } = delivery;
    for (;;) {
      if (!lease.isSafe()) await this.deliveries.renew([delivery]);
      if (!lease.isSafe()) return null;
      try {
        return await this.postAttempt.post({ ...delivery, lane: delivery.endpointId }, { id, number, event, body });
      } catch (error) {
        if (!(error instanceof LeaseEndedError)) throw error;
      }
    }
  }

  /** Retried like a failure of the receiver, so that the delivery succeeds once the fault is fixed. */
  private internalError(): AttemptResult {
    const noResponse = { statusCode: null, retryAfter: null, responseHeaders: null, responseBody: null };
    return { startedAt: this.clock.now(), durationMs: 0, requestHeaders: {}, ...noResponse, error: 'Internal error' };
  }
}
