import { Injectable } from '@nestjs/common';

import { SessionAuthenticator } from '../../../platform/http/access/authenticators.js';
import type { SessionCaller } from '../../../platform/http/access/caller.js';
import type { Role } from '../../../shared/permissions.js';
import { AuthenticateSession } from '../application/authenticate-session.service.js';

@Injectable()
export class JwtAuthenticator extends SessionAuthenticator {
  constructor(private readonly authenticateSession: AuthenticateSession) {
    super();
  }

  async authenticate(token: string | undefined, role: Role): Promise<SessionCaller> {
    const user = await this.authenticateSession.authenticate(token, role);
    return { kind: 'session', accountId: user.accountId, userId: user.id, role: user.role };
  }
}
