import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Account } from '../domain/account.js';
import { AccountRepository } from './ports/account.repository.js';

@Injectable()
export class OpenTestAccount {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly clock: Clock,
  ) {}

  /** Creates the test account of an account in the current transaction, unless it exists. */
  async open(accountId: string): Promise<void> {
    const account = await this.accounts.find(accountId);
    if (!account) throw DomainError.notFound('Account');
    await this.accounts.addIfAbsent(Account.openTest(accountId, account.name, this.clock.now()));
  }
}
