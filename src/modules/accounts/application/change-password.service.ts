import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { networkOf } from '../../../shared/ip-address.js';
import { LogIn, type NewSession } from './log-in.service.js';
import { LoginAttempts, type LoginClient } from './login-attempts.service.js';
import { ManageUsers } from './manage-users.service.js';
import { PasswordHasher, PasswordHashingQueue } from './ports/password-hasher.js';

export interface PasswordChange {
  currentPassword: string;
  password: string;
}

/** Changes a user's own password. */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly users: ManageUsers,
    private readonly passwords: PasswordHasher,
    private readonly hashing: PasswordHashingQueue,
    private readonly attempts: LoginAttempts,
    private readonly logIn: LogIn,
  ) {}

  /**
   * Ends all sessions of the user and starts a new one. A wrong current password counts as a failed login. Throws a
   * conflict if another call has changed the password meanwhile.
   */
  async change(
    accountId: string,
    userId: string,
    { currentPassword, password }: PasswordChange,
    client: LoginClient,
  ): Promise<NewSession> {
    return this.hashing.run(networkOf(client.address), async () => {
      const user = await this.users.get(accountId, userId);
      const attempt = await this.attempts.begin(normaliseEmail(user.email), [user], client);
      if (!(await this.passwords.verify(user.passwordHash, currentPassword)))
        throw DomainError.invalid('currentPassword is wrong');
      await this.attempts.succeed(attempt, user);
      const passwordHash = await this.passwords.hash(password);
      return this.logIn.startSession(await this.users.replacePassword(user, passwordHash));
    });
  }
}
