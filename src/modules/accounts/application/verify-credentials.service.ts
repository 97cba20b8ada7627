import { Injectable } from '@nestjs/common';

import type { User } from '../domain/user.js';
import { AccountRepository } from './ports/account.repository.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

/** The number of users of one email whose passwords are checked if no account is named. */
const MAX_CANDIDATES = 3;

/** The users of an email, oldest first, and the number of passwords to check even if there are fewer users. */
export interface Candidates {
  users: User[];
  checks: number;
}

/**
 * Finds the user of an email by the password. Takes the same time for every email, so that timing does not reveal who
 * is a user of which accounts.
 */
@Injectable()
export class VerifyCredentials {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * `accountId` selects one account. It is needed if several have the same password, or if more match than are checked.
   */
  async findCandidates(normalisedEmail: string, accountId: string | null): Promise<Candidates> {
    const checks = accountId === null ? await this.accounts.countAcrossAccounts(MAX_CANDIDATES) : 1;
    return {
      users: await this.users.findByEmailAcrossAccounts(normalisedEmail, checks, accountId ?? undefined),
      checks,
    };
  }

  /** Returns the oldest user with this password among those that may be checked, or null. */
  async findUser(
    { users, checks }: Candidates,
    mayCheck: (user: User) => boolean,
    password: string,
  ): Promise<User | null> {
    let found: User | null = null;
    for (let i = 0; i < Math.max(1, checks); i++) {
      const user = users[i];
      const candidate = user && mayCheck(user) ? user : undefined;
      const matches = await this.passwords.verify(candidate?.passwordHash ?? null, password);
      if (candidate && matches) found ??= candidate;
    }
    return found;
  }
}
