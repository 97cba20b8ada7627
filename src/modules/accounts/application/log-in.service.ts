import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS } from '../domain/login-throttle.js';
import type { User } from '../domain/user.js';
import { LoginThrottles } from './ports/login-throttles.js';
import { SessionTokens } from './ports/session-tokens.js';
import { type Credentials, VerifyCredentials } from './verify-credentials.service.js';

export interface NewSession {
  user: User;
  accessToken: string;
  lifetimeSeconds: number;
}

@Injectable()
export class LogIn {
  constructor(
    private readonly credentials: VerifyCredentials,
    private readonly tokens: SessionTokens,
    private readonly throttles: LoginThrottles,
    private readonly clock: Clock,
  ) {}

  /** An unknown address is answered like a wrong password, after the same work. */
  async logIn(credentials: Credentials): Promise<NewSession> {
    const address = normaliseEmail(credentials.email);
    const windowEndsAt = await this.countAttempt(address);
    const user = await this.credentials.findUser(credentials);
    if (!user) throw new DomainError('unauthenticated', 'credentials', 'Invalid email or password');
    await this.throttles.takeBack(address, windowEndsAt);
    const { id, accountId, role, sessionStamp } = user;
    const accessToken = await this.tokens.issue({ sub: id, accountId, role, stamp: sessionStamp });
    return { user, accessToken, lifetimeSeconds: this.tokens.lifetimeSeconds };
  }

  async forgetEndedThrottles(): Promise<void> {
    await this.throttles.removeEnded(this.clock.now());
  }

  /** Before the password is looked at, so that guesses sent at the same time are not all let through. */
  private async countAttempt(address: string): Promise<Date> {
    const now = this.clock.now();
    const newWindowEndsAt = new Date(now.getTime() + LOGIN_WINDOW_MS);
    const { attempts, windowEndsAt } = await this.throttles.count(address, now, newWindowEndsAt);
    if (attempts <= MAX_FAILED_LOGINS) return windowEndsAt;
    const secondsLeft = Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1_000);
    throw new DomainError('limit_exceeded', 'login_throttled', 'Too many failed logins for this address', secondsLeft);
  }
}
