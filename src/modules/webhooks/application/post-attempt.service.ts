import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Lease } from '../../../shared/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { attemptHeaders, type AttemptToSend } from '../domain/attempt-headers.js';
import { isSuccess } from '../domain/attempt-outcome.js';
import type { AttemptResult } from '../domain/webhook-delivery.js';
import { Brand, NoReplyError, WebhookClient } from './ports/webhook-client.js';

/** So many secrets are kept opened: a decryption for each attempt is a twentieth of a worker's time. */
const MAX_OPENED = 1_000;

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

/** Signs an attempt and posts it to its endpoint. */
@Injectable()
export class PostAttempt {
  private readonly opened = new LRUCache<string, string>({
    max: MAX_OPENED,
    memoMethod: (sealed) => this.secrets.open(sealed),
  });

  constructor(
    private readonly client: WebhookClient,
    private readonly secrets: SecretBox,
    private readonly brand: Brand,
    private readonly clock: Clock,
  ) {}

  /** Resolves to the result, good or bad. Throws a LeaseEndedError if nothing was posted, and internal errors. */
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
      if (error instanceof NoReplyError) return error;
      throw error;
    });
    const result = { startedAt, durationMs: Math.round(performance.now() - startedMs), requestHeaders };
    if (reply instanceof NoReplyError) {
      const noResponse = { statusCode: null, retryAfter: null, responseHeaders: null, responseBody: null };
      return { ...result, ...noResponse, error: reply.message };
    }
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
}
