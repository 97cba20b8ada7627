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

/** Accounts are made by the operator, not over HTTP. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** The account with its admin, whose address may be a user of other accounts too. */
  async create(wanted: NewAccount): Promise<Account> {
    const { account, admin } = await this.prepare(wanted);
    await this.transactions.run(async () => {
      await this.accounts.add(account);
      await this.users.add(admin);
    });
    return account;
  }

  /** Null if the installation has an account. Processes that start at the same time create one. */
  async createFirst(wanted: NewAccount): Promise<Account | null> {
    if ((await this.accounts.countAcrossAccounts(1)) > 0) return null;
    const { account, admin } = await this.prepare(wanted);
    return this.transactions.run(async () => {
      if (!(await this.accounts.addIfFirstAcrossAccounts(account))) return null;
      await this.users.add(admin);
      return account;
    });
  }

  /** Whether there is no account yet. */
  async isMissing(): Promise<boolean> {
    return (await this.accounts.countAcrossAccounts(1)) === 0;
  }

  private async prepare(wanted: NewAccount): Promise<{ account: Account; admin: User }> {
    const faults = faultsOf(wanted);
    if (faults.length > 0) throw DomainError.invalid(faults.join('; '));
    const passwordHash = await this.passwords.hash(wanted.password);
    const now = this.clock.now();
    const account = Account.open(newId(now), wanted.name, now);
    const admin = { accountId: account.id, email: wanted.email, passwordHash, role: 'admin' as const };
    return { account, admin: User.register(newId(now), admin, now) };
  }
}
