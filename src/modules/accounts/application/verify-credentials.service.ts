import { Injectable } from '@nestjs/common';

import type { User } from '../domain/user.js';
import { AccountRepository } from './ports/account.repository.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

/** Users of one address whose passwords are checked without knowing the account. */
const MAX_CANDIDATES = 3;

/** The users of an address, oldest first, and how many passwords are checked whether there are that many or not. */
export interface Candidates {
  users: User[];
  checks: number;
}

/**
 * Finds the user whose password it is. Takes the same time for every email, so that timing does not reveal who is a
 * user of which accounts.
 */
@Injectable()
export class VerifyCredentials {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * `accountId`: where the address is a user of several accounts with the same password, or of more than are checked.
   */
  async findCandidates(normalisedEmail: string, accountId: string | null): Promise<Candidates> {
    const checks = accountId === null ? await this.accounts.countAcrossAccounts(MAX_CANDIDATES) : 1;
    return {
      users: await this.users.findByEmailAcrossAccounts(normalisedEmail, checks, accountId ?? undefined),
      checks,
    };
  }

  /** The user whose password it is, of several the oldest; null if there is none among those that may be checked. */
  async findUser(
    { users, checks }: Candidates,
    mayCheck: (user: User) => boolean,
    password: string,
  ): Promise<User | null> {
    let found: User | null = null;
    for (let i = 0; i < Math.max(1, checks); i++) {
      const user = users[i];
      const candidate = user && mayCheck(user) ? user : undefined;
      const isRight = await this.passwords.verify(candidate?.passwordHash ?? null, password);
      if (candidate && isRight) found ??= candidate;
    }
    return found;
  }
}
