import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId, newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { Role } from '../../../shared/permissions.js';
import { User } from '../domain/user.js';
import { AccountRepository } from './ports/account.repository.js';
import { PasswordHasher, PasswordHashingQueue } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

export interface UserWithPassword {
  email: string;
  password: string;
  role: Role;
}

@Injectable()
export class ManageUsers {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly hashing: PasswordHashingQueue,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, { email, password, role }: UserWithPassword): Promise<User> {
    const passwordHash = await this.hash(accountId, password);
    const now = this.clock.now();
    const user = User.register(newId(now), { accountId, email, passwordHash, role }, now);
    await this.users.add(user);
    return user;
  }

  list(accountId: string, page: PageRequest): Promise<Page<User>> {
    return this.users.list(accountId, page);
  }

  async get(accountId: string, id: string): Promise<User> {
    const user = isId(id) ? await this.users.find(accountId, id) : null;
    if (!user) throw DomainError.notFound('User');
    return user;
  }

  /** Absent fields are kept. A new password ends the user's sessions. */
  async change(accountId: string, id: string, change: Partial<UserWithPassword>): Promise<User> {
    const passwordHash = change.password === undefined ? undefined : await this.hash(accountId, change.password);
    return this.transactions.runInLane(accountId, async () => {
      const user = await this.getAndLock(accountId, id);
      if (change.role === 'member') await this.requireAnotherAdmin(user, 'demoted');
      user.change({ email: change.email, role: change.role, passwordHash }, this.clock.now());
      await this.users.save(user);
      return user;
    });
  }

  /** Throws a conflict if the password has changed since the user was read. Ends the user's sessions. */
  async replacePassword({ accountId, id, passwordHash: expected }: User, passwordHash: string): Promise<User> {
    return this.transactions.runInLane(accountId, async () => {
      const user = await this.getAndLock(accountId, id);
      if (user.passwordHash !== expected) throw DomainError.conflict('The password was changed meanwhile');
      user.change({ passwordHash }, this.clock.now());
      await this.users.save(user);
      return user;
    });
  }

  /** Ends the user's sessions too. */
  async remove(accountId: string, id: string): Promise<User> {
    return this.transactions.runInLane(accountId, async () => {
      const user = await this.getAndLock(accountId, id);
      await this.requireAnotherAdmin(user, 'removed');
      await this.users.remove(accountId, id);
      return user;
    });
  }

  private hash(accountId: string, password: string): Promise<string> {
    return this.hashing.run(accountId, () => this.passwords.hash(password));
  }

  /** Locks the account, so that concurrent changes cannot demote or remove its last admins. */
  private async getAndLock(accountId: string, id: string): Promise<User> {
    await this.accounts.findAndLock(accountId);
    return this.get(accountId, id);
  }

  private async requireAnotherAdmin(user: User, change: 'demoted' | 'removed'): Promise<void> {
    if (user.role === 'admin' && (await this.users.countAdmins(user.accountId)) === 1) {
      throw DomainError.conflict(`The last admin of an account cannot be ${change}`);
    }
  }
}
