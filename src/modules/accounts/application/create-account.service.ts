import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { Account } from '../domain/account.js';
import { faultsOf, type NewAccount } from '../domain/new-account.js';
import { User } from '../domain/user.js';
import { AccountRepository } from './ports/account.repository.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

/** Creates accounts. For the operator, not over HTTP. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Creates an account and its admin. The admin's email may also belong to users of other accounts. */
  async create(newAccount: NewAccount): Promise<Account> {
    const { account, admin } = await this.prepare(newAccount);
    await this.transactions.run(async () => {
      await this.accounts.add(account);
      await this.users.add(admin);
    });
    return account;
  }

  /** Returns null if the installation has an account already. Of processes that start concurrently, one creates it. */
  async createFirst(newAccount: NewAccount): Promise<Account | null> {
    if ((await this.accounts.countAcrossAccounts(1)) > 0) return null;
    const { account, admin } = await this.prepare(newAccount);
    return this.transactions.run(async () => {
      if (!(await this.accounts.addIfFirstAcrossAccounts(account))) return null;
      await this.users.add(admin);
      return account;
    });
  }

  /** Whether the installation has no account yet. */
  async isMissing(): Promise<boolean> {
    return (await this.accounts.countAcrossAccounts(1)) === 0;
  }

  private async prepare(newAccount: NewAccount): Promise<{ account: Account; admin: User }> {
    const faults = faultsOf(newAccount);
    if (faults.length > 0) throw DomainError.invalid(faults.join('; '));
    const passwordHash = await this.passwords.hash(newAccount.password);
    const now = this.clock.now();
    const account = Account.open(newId(now), newAccount.name, now);
    const admin = { accountId: account.id, email: newAccount.email, passwordHash, role: 'admin' as const };
    return { account, admin: User.register(newId(now), admin, now) };
  }
}
