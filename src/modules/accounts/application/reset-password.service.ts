import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { User } from '../domain/user.js';
import { Throttles } from './ports/throttles.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

/** Resets a forgotten password. For the operator, not over HTTP. */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly throttles: Throttles,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends all sessions of the user and resets the failed logins for the email. Throws if there is no such user, or if
   * the email belongs to users of several accounts and none is named.
   */
  async reset(email: string, password: string, accountId?: string): Promise<User> {
    const passwordHash = await this.passwords.hash(password);
    const address = normaliseEmail(email);
    return this.transactions.run(async () => {
      const [user, second] = await this.users.findByEmailAcrossAccounts(address, 2, accountId);
      if (!user) throw new DomainError('not_found', 'not_found', `No user has the email ${email}`);
      if (second) throw DomainError.conflict(`${email} is a user of several accounts: name one with --account`);
      user.change({ passwordHash }, this.clock.now());
      await this.users.save(user);
      await this.throttles.clear({ kind: 'address', value: address });
      return user;
    });
  }
}
