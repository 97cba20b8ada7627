import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { AccountChanges } from '../../../../shared/ports/account-changes.js';
import type { CapUsage } from '../../domain/daily-caps.js';

export type Used = Omit<CapUsage, 'keyLimit'>;

/** The account and key whose usage is counted. */
export interface Subject {
  accountId: string;
  apiKeyId: string;
}

const CACHE = { max: 10_000, ttl: 1_000 };

/**
 * Caches for a second the usage of accounts and keys as of the last message that this process accepted. Other processes
 * may have accepted more since, so it never decides whether a message is within the caps.
 */
@Injectable()
export class CachedDailyUsage {
  private readonly accounts = new LRUCache<string, Omit<Used, 'keyUsed'>>(CACHE);
  private readonly keys = new LRUCache<string, number>(CACHE);

  constructor(changes: AccountChanges) {
    changes.onChange(() => {
      this.accounts.clear();
    });
  }

  find({ accountId, apiKeyId }: Subject, day: string): Used | null {
    const account = this.accounts.get(`${day} ${accountId}`);
    const keyUsed = this.keys.get(`${day} ${apiKeyId}`);
    return account === undefined || keyUsed === undefined ? null : { ...account, keyUsed };
  }

  record({ accountId, apiKeyId }: Subject, day: string, used: Used): void {
    const { accountCap, accountUsed, keyUsed, testBytes } = used;
    this.accounts.set(`${day} ${accountId}`, { accountCap, accountUsed, testBytes });
    this.keys.set(`${day} ${apiKeyId}`, keyUsed);
  }

  forget(accountId: string, day: string): void {
    this.accounts.delete(`${day} ${accountId}`);
  }
}
