import { Injectable } from '@nestjs/common';

import { KeyAuthenticator } from '../../../platform/http/access/authenticators.js';
import type { KeyCaller } from '../../../platform/http/access/caller.js';
import type { Scope } from '../../../shared/permissions.js';
import { AuthenticateKey } from '../application/authenticate-key.service.js';

@Injectable()
export class ApiKeyAuthenticator extends KeyAuthenticator {
  constructor(private readonly authenticateKey: AuthenticateKey) {
    super();
  }

  async authenticate(secret: string | undefined, clientAddress: string, scope: Scope): Promise<KeyCaller> {
    const key = await this.authenticateKey.authenticate(secret, clientAddress, scope);
    const { id, accountId, testOf, messagesPerDay: dailyLimit } = key;
    return { kind: 'key', accountId, testOf, apiKeyId: id, dailyLimit };
  }
}
