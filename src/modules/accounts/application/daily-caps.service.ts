import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type CapRequest, type CapUsage, judge, nextCapDay } from '../domain/daily-caps.js';
import { DailyUsage } from './ports/daily-usage.js';

/** The caps on messages per UTC day, of an account and of its keys. */
@Injectable()
export class DailyCaps {
  constructor(
    private readonly usage: DailyUsage,
    private readonly clock: Clock,
  ) {}

  /** Today's usage, without counting anything. */
  peek(request: CapRequest): Promise<CapUsage> {
    return this.usage.find(request, this.clock.now());
  }

  /** Within the running transaction: a usage for each request that was counted, an error for each that has no room. */
  async reserve(requests: readonly CapRequest[]): Promise<(CapUsage | DomainError)[]> {
    const before = await this.usage.reserve(requests, this.clock.now());
    return before.map((usage) => this.refusal(usage) ?? afterOneMore(usage));
  }

  /** The error that a request without room is answered with; undefined where there is room. */
  refusal(usage: CapUsage): DomainError | undefined {
    switch (judge(usage)) {
      case 'room':
        return undefined;
      case 'key_limit_reached':
        return DomainError.invalid('Daily send limit reached for this API key', 'key_limit_reached');
      case 'account_cap_reached':
        return new DomainError('limit_exceeded', 'account_cap_reached', 'Daily send limit reached', this.secondsLeft());
    }
  }

  /** The next UTC midnight. */
  resetsAt(): Date {
    return nextCapDay(this.clock.now());
  }

  private secondsLeft(): number {
    return Math.ceil((this.resetsAt().getTime() - this.clock.now().getTime()) / 1_000);
  }
}

const afterOneMore = (usage: CapUsage): CapUsage => ({
  ...usage,
  accountUsed: usage.accountUsed + 1,
  keyUsed: usage.keyUsed + 1,
});
