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

  /** See `AccountRepository.findProfile`. */
  findProfile(accountId: string): Promise<AccountProfile | null> {
    return this.accounts.findProfile(accountId);
  }
}
