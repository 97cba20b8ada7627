import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { networkOf } from '../../../shared/ip-address.js';
import type { User } from '../domain/user.js';
import { LoginAttempts, type LoginClient } from './login-attempts.service.js';
import { PasswordHashingQueue } from './ports/password-hasher.js';
import { SessionTokens } from './ports/session-tokens.js';
import { VerifyCredentials } from './verify-credentials.service.js';

export interface Credentials {
  email: string;
  password: string;
  /** Selects one account if the email belongs to users of several. */
  accountId?: string | null | undefined;
}

export interface NewSession {
  user: User;
  accessToken: string;
  lifetimeSeconds: number;
}

@Injectable()
export class LogIn {
  constructor(
    private readonly credentials: VerifyCredentials,
    private readonly hashing: PasswordHashingQueue,
    private readonly tokens: SessionTokens,
    private readonly attempts: LoginAttempts,
  ) {}

  /** Answers an unknown email like a wrong password, after the same amount of hashing. */
  async logIn({ email, password, accountId = null }: Credentials, client: LoginClient): Promise<NewSession> {
    return this.hashing.run(networkOf(client.address), async () => {
      const address = normaliseEmail(email);
      const candidates = await this.credentials.findCandidates(address, accountId);
      const attempt = await this.attempts.begin(address, candidates.users, client);
      const user = await this.credentials.findUser(candidates, ({ id }) => attempt.userIds.has(id), password);
      if (!user) {
        throw (
          attempt.limitExceeded ?? new DomainError('unauthenticated', 'unauthenticated', 'Invalid email or password')
        );
      }
      await this.attempts.succeed(attempt, user);
      return this.startSession(user);
    });
  }

  async startSession(user: User): Promise<NewSession> {
    const { id, accountId, role, sessionStamp } = user;
    const accessToken = await this.tokens.issue({ sub: id, accountId, role, stamp: sessionStamp });
    return { user, accessToken, lifetimeSeconds: this.tokens.lifetimeSeconds };
  }
}
