import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import type { Role } from '../../../shared/permissions.js';
import type { User } from '../domain/user.js';
import { SessionTokens } from './ports/session-tokens.js';
import { UserRepository } from './ports/user.repository.js';

@Injectable()
export class AuthenticateSession {
  constructor(
    private readonly tokens: SessionTokens,
    private readonly users: UserRepository,
  ) {}

  /**
   * Returns the user as stored now, so that a removed user, a lost role or a changed password ends the session although
   * its token is still valid.
   */
  async authenticate(token: string | undefined, role: Role): Promise<User> {
    const user = token === undefined ? null : await this.userOf(token);
    if (!user)
      throw new DomainError('unauthenticated', 'unauthenticated', token ? 'Invalid session' : 'Missing session');
    if (role === 'admin' && user.role !== 'admin') {
      throw new DomainError('forbidden', 'forbidden', 'This needs the role admin');
    }
    return user;
  }

  private async userOf(token: string): Promise<User | null> {
    const claims = await this.tokens.verify(token);
    const user = claims && (await this.users.findForSession(claims.accountId, claims.sub));
    return user?.sessionStamp === claims?.stamp ? user : null;
  }
}
