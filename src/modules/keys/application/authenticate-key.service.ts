import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Scope } from '../../../shared/scopes.js';
import { type ApiKey, hashSecret } from '../domain/api-key.js';
import { ApiKeyRepository } from './ports/api-key.repository.js';

const USE_RECORDED_EVERY_MS = 60_000;

@Injectable()
export class AuthenticateKey {
  private readonly logger = new Logger(AuthenticateKey.name);

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  /** Callers rely on the order of the checks: known, not revoked, not expired, client address, scope. */
  async authenticate(secret: string | undefined, clientAddress: string, scope: Scope): Promise<ApiKey> {
    if (!secret) throw unauthenticated('Missing API key');
    const key = await this.keys.findBySecretAcrossAccounts(hashSecret(secret));
    const now = this.clock.now();
    if (!key || key.statusAt(now) === 'revoked') throw unauthenticated('Invalid API key');
    if (key.statusAt(now) === 'expired') throw unauthenticated('API key expired');
    if (!key.admits(clientAddress)) throw unauthenticated('API key denied for this client IP');
    if (!key.scopes.includes(scope)) {
      throw new DomainError('forbidden', 'missing_scope', `API key is missing required scope: ${scope}`);
    }
    this.recordUse(key, now);
    return key;
  }

  /** In the background: the request neither waits for it nor fails with it. */
  private recordUse(key: ApiKey, now: Date): void {
    const recentlyRecorded = new Date(now.getTime() - USE_RECORDED_EVERY_MS);
    if (key.lastUsedAt && key.lastUsedAt > recentlyRecorded) return;
    this.keys.recordUseAcrossAccounts(key.id, now, recentlyRecorded).catch((error: unknown) => {
      this.logger.warn(`The use of key ${key.id} was not recorded: ${(error as Error).message}`);
    });
  }
}

const unauthenticated = (message: string) => new DomainError('unauthenticated', 'api_key', message);
