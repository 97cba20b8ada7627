import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import type { Account } from '../domain/account.js';
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

  /** The name that recipients know the account by; a test account has that of its account. Null if there is none. */
  async findName(accountId: string): Promise<string | null> {
    const account = await this.accounts.find(accountId);
    if (account?.testOf == null) return account?.name ?? null;
    return (await this.accounts.find(account.testOf))?.name ?? null;
  }
}
