import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';

/** Checks that an account may request per minute, because each queries DNS and SES. */
export const MAX_CHECKS_PER_MINUTE = 60;

const MINUTE_MS = 60_000;

/** Limits the checks that users request. Each process counts for itself: a bound is enough. */
@Injectable()
export class VerifyRateLimit {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Counts one more check. Throws `limit_exceeded` if the account has reached its limit in this minute. */
  reserve(accountId: string): void {
    const now = this.clock.now().getTime();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(accountId) ?? 0) + 1;
    if (count > MAX_CHECKS_PER_MINUTE) {
      const secondsLeft = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000);
      throw new DomainError('limit_exceeded', 'domain_check_limit', TOO_MANY, secondsLeft);
    }
    this.counts.set(accountId, count);
  }
}

const TOO_MANY = `An account can check its domains ${MAX_CHECKS_PER_MINUTE} times a minute`;
