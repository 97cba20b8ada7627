import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import type { User } from '../domain/user.js';
import { AccountRepository } from './ports/account.repository.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { UserRepository } from './ports/user.repository.js';

/** Users of one address whose passwords are checked without knowing the account. */
const MAX_CANDIDATES = 3;

export interface Credentials {
  email: string;
  password: string;
  /** Where the address is a user of several accounts with the same password, or of more than are checked. */
  accountId?: string | undefined;
}

@Injectable()
export class VerifyCredentials {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * The user whose password it is, of several the oldest; null if there is none. Takes the same work for every address of
   * an installation, so that the time tells nothing about who is a user of which accounts.
   */
  async findUser({ email, password, accountId }: Credentials): Promise<User | null> {
    const checks = accountId === undefined ? await this.accounts.countAcrossAccounts(MAX_CANDIDATES) : 1;
    const candidates = await this.users.findByEmailAcrossAccounts(normaliseEmail(email), checks, accountId);
    let found: User | null = null;
    for (let i = 0; i < Math.max(1, checks); i++) {
      const candidate = candidates[i];
      const isRight = await this.passwords.verify(candidate?.passwordHash ?? null, password);
      if (candidate && isRight) found ??= candidate;
    }
    return found;
  }
}
