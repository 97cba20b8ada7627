import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { HttpFailure } from '../../../shared/http-failure.js';
import type { Lease } from '../../../concurrency/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import { attemptHeaders, type AttemptToSend } from '../domain/attempt-headers.js';
import { type AttemptOutcome, classifyAttempt, isSuccess } from '../domain/attempt-outcome.js';
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook-delivery.js';
import { Brand, WebhookClient } from './ports/webhook-client.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

/**
 * The number of decrypted secrets that are kept: decrypting one for each attempt takes a twentieth of a worker's time.
 */
const MAX_OPENED = 1_000;

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

export interface AttemptTarget {
  url: string;
  /** Posts of different lanes do not wait for each other. */
  lane: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
  /** The lease of a claimed delivery; none for a test. */
  lease?: Lease;
}

/** Makes and records the one attempt that a claimed delivery is leased for. */
@Injectable()
export class AttemptDelivery {
  private readonly logger = new Logger(AttemptDelivery.name);
  private readonly opened = new LRUCache<string, string>({
    max: MAX_OPENED,
    memoMethod: (sealed) => this.secrets.open(sealed),
  });

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly client: WebhookClient,
    private readonly secrets: SecretBox,
    private readonly brand: Brand,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Null, with nothing posted, if another worker may have claimed the delivery while this process was paused. */
  async attempt(delivery: ClaimedDelivery): Promise<Attempt | null> {
    const { attemptId: id, number, event, body, lease, endpointId: lane } = delivery;
    for (;;) {
      try {
        if (!lease.isSafe()) await this.deliveries.renew([delivery]);
        if (!lease.isSafe()) return null;
        return this.classify(delivery, await this.post({ ...delivery, lane }, { id, number, event, body }));
      } catch (error) {
        if (error instanceof LeaseEndedError) continue;
        this.logger.error(`Webhook delivery ${delivery.id}: ${(error as Error).message}`, (error as Error).stack);
        return this.classify(delivery, this.internalError());
      }
    }
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

  /**
   * Signs the attempt and posts it to its endpoint. Resolves to the result, good or bad. Throws a LeaseEndedError if
   * nothing was posted, and internal errors.
   */
  async post(target: AttemptTarget, attempt: AttemptToSend): Promise<AttemptResult> {
    let startedAt = this.clock.now();
    let startedMs = performance.now();
    let requestHeaders: Record<string, string> = {};
    const secrets = this.secretsOf(target, startedAt);
    const headers = (): Record<string, string> => {
      startedAt = this.clock.now();
      startedMs = performance.now();
      return (requestHeaders = attemptHeaders(this.brand.name, attempt, secrets, startedAt));
    };
    const { url, lane, lease } = target;
    const isHeld = () => lease?.isSafe() ?? true;
    const reply = await this.client.post({ url, lane, headers, body: attempt.body, isHeld }).catch((error: unknown) => {
      if (error instanceof HttpFailure) return error;
      throw error;
    });
    const result = { startedAt, durationMs: Math.round(performance.now() - startedMs), requestHeaders };
    if (reply instanceof HttpFailure) return { ...result, ...NO_RESPONSE, error: reply.message };
    const { statusCode, retryAfter, headers: responseHeaders, body: responseBody } = reply;
    const error = isSuccess(statusCode) ? null : `Answered ${statusCode}`;
    return { ...result, statusCode, retryAfter, responseHeaders, responseBody, error };
  }

  private secretsOf({ sealedSecret, sealedPreviousSecret, previousSecretUntil }: AttemptTarget, now: Date) {
    const isStillInUse = sealedPreviousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil;
    return {
      current: this.opened.memo(sealedSecret),
      previous: isStillInUse ? this.opened.memo(sealedPreviousSecret) : null,
    };
  }

  private classify({ number }: ClaimedDelivery, result: AttemptResult): Attempt {
    return { result, outcome: classifyAttempt(result, number, this.clock.now(), this.random.next()) };
  }

  /** Retried like a failure of the receiver, so that the delivery succeeds once the fault is fixed. */
  private internalError(): AttemptResult {
    return { startedAt: this.clock.now(), durationMs: 0, requestHeaders: {}, ...NO_RESPONSE, error: 'Internal error' };
  }
}

const NO_RESPONSE = { statusCode: null, retryAfter: null, responseHeaders: null, responseBody: null };
