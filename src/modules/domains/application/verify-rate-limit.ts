import { Injectable } from '@nestjs/common';

import { DOMAIN_CHECKS_PER_MINUTE } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';

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
    if (count > DOMAIN_CHECKS_PER_MINUTE) {
      const secondsLeft = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000);
      throw new DomainError('limit_exceeded', 'rate_limited', TOO_MANY, secondsLeft);
    }
    this.counts.set(accountId, count);
  }
}

const TOO_MANY = `An account can check its domains ${DOMAIN_CHECKS_PER_MINUTE} times a minute`;
