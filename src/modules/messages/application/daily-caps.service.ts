import { Injectable } from '@nestjs/common';

import type { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { capError, capShare, type CapUsage, nextCapDay, reachedCap } from '../domain/daily-caps.js';
import { DailyUsage } from './ports/daily-usage.js';

/** Reads the caps on messages per UTC day, of an account and of its keys. MessageIntake enforces them. */
@Injectable()
export class DailyCaps {
  constructor(
    private readonly usage: DailyUsage,
    private readonly clock: Clock,
  ) {}

  /** Today's usage, without counting anything. See `DailyUsage.getRecent`. */
  peek(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage> {
    return this.usage.getRecent(accountId, apiKeyId, keyLimit);
  }

  /** The account's cap and today's usage of it. */
  async ofAccount(accountId: string): Promise<{ cap: number; used: number }> {
    const { accountCap, accountUsed } = await this.usageOf(accountId);
    return { cap: accountCap, used: accountUsed };
  }

  /**
   * The error for a message of a kind that may use this share of the account's cap; undefined if it leaves room. Not
   * exact: other messages may be accepted at the same time.
   */
  async refusalBeyond(percent: number, accountId: string): Promise<DomainError | undefined> {
    const usage = await this.usageOf(accountId);
    return this.refusal({ ...usage, accountCap: capShare(usage.accountCap, percent) });
  }

  /** The error for a message over one of the caps; undefined if both leave room. */
  refusal(usage: CapUsage): DomainError | undefined {
    const cap = reachedCap(usage);
    return cap === null ? undefined : capError(cap, this.clock.now());
  }

  /** The next UTC midnight. */
  resetsAt(): Date {
    return nextCapDay(this.clock.now());
  }

  private usageOf(accountId: string): Promise<CapUsage> {
    // The account id takes the place of a key id: no key has it.
    return this.usage.get(accountId, accountId, null);
  }
}
