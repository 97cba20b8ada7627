import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import type { Account, AccountProfile } from '../domain/account.js';
import { AccountRepository } from './ports/account.repository.js';

/** Reads accounts for other modules. */
@Injectable()
export class AccountDirectory {
  constructor(private readonly accounts: AccountRepository) {}

  find(accountId: string): Promise<Account | null> {
    return this.accounts.find(accountId);
  }

  async get(accountId: string): Promise<Account> {
    const account = await this.accounts.find(accountId);
    if (!account) throw DomainError.notFound('Account');
    return account;
  }

  /** What recipients know the account by; a test account has that of its account. Null if there is none. */
  async findProfile(accountId: string): Promise<AccountProfile | null> {
    const found = await this.accounts.find(accountId);
    const account = found?.testOf == null ? found : await this.accounts.find(found.testOf);
    if (!account) return null;
    const { name, logoUrl, brandColor: color, trackingConsent } = account;
    return { name, logoUrl, color, asksToTrack: trackingConsent === 'required' };
  }
}
