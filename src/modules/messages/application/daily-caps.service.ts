import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type CapUsage, judge, nextCapDay } from '../domain/daily-caps.js';
import { DailyUsage } from './ports/daily-usage.js';

/** The caps on messages per UTC day, of an account and of its keys. The intake enforces them; this tells of them. */
@Injectable()
export class DailyCaps {
  constructor(
    private readonly usage: DailyUsage,
    private readonly clock: Clock,
  ) {}

  /** Today's usage, without counting anything. */
  peek(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage> {
    return this.usage.find(accountId, apiKeyId, keyLimit);
  }

  /** The account's cap and what is used of it today. */
  async ofAccount(accountId: string): Promise<{ cap: number; used: number }> {
    // In the place of a key stands the account itself: no key has its id.
    const { accountCap, accountUsed } = await this.usage.find(accountId, accountId, null);
    return { cap: accountCap, used: accountUsed };
  }

  /** The error that a message without room is answered with; undefined where there is room. */
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
