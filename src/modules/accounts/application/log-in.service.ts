import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import type { User } from '../domain/user.js';
import { LoginAttempts, type LoginClient } from './login-attempts.service.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { PasswordWork } from './ports/password-work.js';
import { SessionTokens } from './ports/session-tokens.js';
import { UserRepository } from './ports/user.repository.js';

export interface NewSession {
  user: User;
  accessToken: string;
  lifetimeSeconds: number;
}

@Injectable()
export class LogIn {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly work: PasswordWork,
    private readonly tokens: SessionTokens,
    private readonly attempts: LoginAttempts,
  ) {}

  /** An unknown address is answered like a wrong password, after the same work. */
  async logIn(email: string, password: string, client: LoginClient): Promise<NewSession> {
    return this.work.run(client.address, async () => {
      const address = normaliseEmail(email);
      const user = await this.users.findByEmailAcrossAccounts(address);
      const attempt = await this.attempts.begin(address, user?.id ?? null, client);
      const isRight = await this.passwords.verify(user?.passwordHash ?? null, password);
      if (!user || !isRight) throw new DomainError('unauthenticated', 'credentials', 'Invalid email or password');
      await this.attempts.succeed(attempt);
      return this.beginSession(user);
    });
  }

  async beginSession(user: User): Promise<NewSession> {
    const { id, accountId, role, sessionStamp } = user;
    const accessToken = await this.tokens.issue({ sub: id, accountId, role, stamp: sessionStamp });
    return { user, accessToken, lifetimeSeconds: this.tokens.lifetimeSeconds };
  }
}
